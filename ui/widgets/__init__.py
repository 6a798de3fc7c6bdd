"""Controls, notices, downloads and style sheets that pages share."""
