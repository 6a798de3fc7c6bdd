"""Controls, charts and cached calls: beside the pages, the only code that knows Streamlit."""
