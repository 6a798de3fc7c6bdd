"""Files: text and Parquet, opened with care and read in blocks."""
