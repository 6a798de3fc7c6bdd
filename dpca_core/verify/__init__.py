"""Checks the certificate of a release again, by itself: ``python -m dpca_core.verify``.

Only the standard library, NumPy and ``dpca_core.privacy.gaussian`` are imported (with what that one
imports), so that whoever doubts the program that drew a release can read what checks it.
"""
