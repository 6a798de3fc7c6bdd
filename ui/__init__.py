"""The workbench: one package per page, and what pages share."""
