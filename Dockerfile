# A server for several people, behind a proxy that encrypts: docs/deploy.md.
# For a base that cannot change under its name, append its digest: docs/deploy.md.
FROM python:3.11-slim-bookworm

# One thread for each matrix, few memory arenas; nobody comes in without a login.
ENV OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MALLOC_ARENA_MAX=2 \
    PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    HOME=/app TMPDIR=/tmp DPCA_LOGIN=1 STREAMLIT_BROWSER_SERVER_ADDRESS=localhost

WORKDIR /app
COPY requirements-login.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check --no-compile --require-hashes \
        -r requirements-login.lock \
    && python -m compileall -q /usr/local/lib/python3.11/site-packages \
    && useradd --system --home-dir /app --shell /usr/sbin/nologin dpca
COPY . .
RUN pip install --no-cache-dir --disable-pip-version-check --no-compile \
        --no-deps --no-build-isolation -e . \
    && python -m compileall -q .

USER dpca
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s CMD ["python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=2)"]
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address=0.0.0.0", \
    "--server.port=8501", "--server.headless=true"]
