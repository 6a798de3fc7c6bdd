"""The lessons: of each the words as Markdown, and a module that measures and draws."""
