"""Checks the certificate of a release again, by itself: ``python -m dpca_core.verify``."""
