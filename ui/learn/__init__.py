"""The Learn page: thirteen questions, each answered by a picture that is computed when asked."""
