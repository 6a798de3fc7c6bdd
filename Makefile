# make run    install what is pinned, by its hashes, into .venv and open the workbench
# make test   what CI runs: lint, types and the gate, in a real browser (SHUFFLE=7: in another order)
# make test-all   all tests, the long ones too: before a version is tagged
# make docs   the documents as a site, in build/docs
# make mutants    break important lines, one at a time, and see the gate fail
# make lock   write the hashes anew after a version in requirements*.txt or constraints.txt changed
PORT ?= 8501
# The system's own first, if it can make environments: distributions usually compile it for speed.
# Debian's is a fifth faster than one that pyenv compiled.
PYTHON ?= $(shell for p in /usr/bin/python3 python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo $$p && break; done)
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --disable-pip-version-check --no-input --quiet --no-compile
# Seconds with uv; by pip where there is no wheel of it, or where only pip knows the registry.
INSTALL = $(PY) -m uv pip install --quiet --python $(PY) --require-hashes -r $(1) 2>/dev/null || \
	$(PIP) --require-hashes -r $(1)
LOCK := $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate
# One more than processors: tests in a browser wait a good part of their time.
WORKERS ?= 3
TYPED := $(wildcard dpca_core lessons papers sample_data ui)

# Trials run in parallel; a second BLAS thread only gets in their way.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
# Nothing is compiled at installation, so whoever imports it first must be able to keep it.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := run
.DELETE_ON_ERROR:
.PHONY: run test test-all gate all-tests mutants bench docs lint style types format browser lock clean

run: $(VENV)/run.stamp
	@$(PY) -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null || \
		{ echo "Port $(PORT) is not free: try another, for example make run PORT=8502." >&2; exit 1; }
	@echo "dpca is at http://127.0.0.1:$(PORT) (stop with Ctrl-C)"
	@$(PY) -m streamlit run app.py --server.port $(PORT)

# Types are checked beside the tests. What the tests need is installed at once: packages by one
# processor, Chromium by the other.
test test-all:
	@$(MAKE) --no-print-directory --jobs=2 $(VENV)/dev.stamp browser
	@$(MAKE) --no-print-directory style
	@$(MAKE) --no-print-directory --jobs=2 types $(if $(filter test,$@),gate,all-tests)

gate: SELECTED := -m "not long"
gate all-tests: $(VENV)/dev.stamp browser
	$(PY) -m pytest $(SELECTED) --numprocesses=$(WORKERS) --dist=loadfile --no-loadscope-reorder \
		$(if $(SHUFFLE),-p randomly --randomly-seed=$(SHUFFLE))

mutants: $(VENV)/dev.stamp
	$(PY) -m tests.mutants

bench: $(VENV)/dev.stamp browser
	$(PY) -m benchmarks.kernels
	$(PY) -m benchmarks.latency

docs: $(VENV)/dev.stamp
	$(PY) -m sphinx -q -W --keep-going -c docs . build/docs
	@echo "The documents are in build/docs: open build/docs/README.html."

lint: style types

style: $(VENV)/dev.stamp
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(VENV)/bin/oxlint --deny-warnings static tests/browser

types: $(VENV)/dev.stamp
	$(if $(TYPED),$(PY) -m mypy $(TYPED))

format: $(VENV)/dev.stamp
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

browser: | $(PY)
	@$(PY) -m tests.browser.chromium >/dev/null 2>&1 || .ci/install-chromium
	@$(PY) -m tests.browser.chromium >/dev/null

lock: $(VENV)/dev.stamp
	$(LOCK) requirements-installer.txt -o requirements-installer.lock
	$(LOCK) requirements.txt -o requirements.lock
	$(LOCK) requirements-dev.txt -o requirements-dev.lock
	$(LOCK) requirements.txt requirements-login.txt -o requirements-login.lock

clean:
	rm -rf $(VENV)

$(PY):
	@test -n "$(PYTHON)" || { echo "dpca needs Python 3.11 or newer with its venv module: install them \
	(Debian, Ubuntu: apt install python3-venv) and run make again." >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --clear $(VENV)

$(VENV)/run.stamp: requirements.lock pyproject.toml | $(PY)
	@echo "Installing what dpca needs (once; half a minute at most)"
	@$(PIP) --require-hashes -r requirements-installer.lock 2>/dev/null || true
	@$(call INSTALL,requirements.lock)
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/run.stamp
	@echo "Installing what the tests need (once)"
	@$(call INSTALL,requirements-dev.lock)
# Compiled once by all processors, and not by each process that imports it first.
	@$(PY) -m compileall -qq -j 0 -x '/(tests|pip|mypy|mypyc|plotly|altair)/' $(VENV)/lib || true
	@touch $@
