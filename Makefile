# medkg: 'make demo' shows it, 'make test' proves it. Needs Python 3.11 or 3.12 with pip, nothing else.
#
# PYTHON=/path/to/python3.12 chooses the Python that .venv is made from; uv is used where it is there.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

FITTING := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))
PYTHON ?= $(shell for p in python3 python3.12 python3.11; do "$$p" -c '$(FITTING)' 2>/dev/null && echo "$$p" && break; done; true)

VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE # the tests start hundreds of processes, which would compile anew each

.PHONY: help env env-demo env-dev env-all demo test lint bench pictures lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

env: $(VENV)/.base ## make .venv with what medkg needs
env-demo: $(VENV)/.demo ## make .venv with what evaluations need too
env-dev: $(VENV)/.dev ## make .venv with the developer tools too
env-all: env-dev ## make .venv with everything

demo: env-demo ## build a real graph, ask it, evaluate on it (about two minutes, the environment included)
	@$(BIN)/medkg demo

test: lint ## lint, types, layers, and the whole suite with a real Neo4j
	@$(BIN)/pytest -n logical --maxprocesses 4 --dist loadfile

lint: env-dev ## what must hold before a test runs
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: env-dev ## measure, beside a rival in the same run
	@$(BIN)/python -m tests.benchmarks --write docs/benchmarks.md

pictures: env-dev ## make the pictures of the README anew (needs Chromium with its driver)
	@$(BIN)/python -m docs.pictures.make

lock: env-dev ## choose the newest fitting versions anew (needs uv)
	@uv=$$(command -v uv) || { echo "make lock: uv is not on the PATH; install it with 'pip install uv'" >&2; exit 1; }; \
	compile() { "$$uv" pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command 'make lock' "$$@"; }; \
	compile pyproject.toml requirements/build.in --all-extras --group dev --output-file requirements/dev.lock; \
	compile pyproject.toml requirements/build.in --constraint requirements/dev.lock --output-file requirements/base.lock; \
	compile pyproject.toml requirements/build.in --extra eval --constraint requirements/dev.lock \
	    --output-file requirements/demo.lock

clean: ## remove .venv and every cache; graphs in .medkg stay
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .benchmarks
	@find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or 3.12 on the PATH (python3 is $$(python3 --version 2>&1)); install one, or name it with PYTHON=/path/to/python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c '$(FITTING)' || { echo "make: PYTHON=$(PYTHON) is $$("$(PYTHON)" --version 2>&1), and medkg needs Python 3.11 or 3.12; name one with PYTHON=/path/to/python3.12" >&2; exit 1; }
	@rm -rf $(VENV)
	@echo "Making $(VENV) with $(PYTHON) ..."
	@if command -v uv >/dev/null; then uv venv --quiet --python "$(PYTHON)" $(VENV); else \
	    "$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { echo "make: $(PYTHON) has no venv or ensurepip; install them (Debian and Ubuntu: the package python3-venv)" >&2; exit 1; }; \
	    "$(PYTHON)" -m venv $(VENV); fi

# the stamps: an environment is made anew only when a lock or the packaging changed;
# modules are compiled when they are first imported, which are far fewer than there are
$(VENV)/.base: requirements/base.lock pyproject.toml | $(BIN)/python
	$(call install,medkg,requirements/base.lock,,--no-compile)
	@touch $@

$(VENV)/.demo: requirements/demo.lock pyproject.toml | $(BIN)/python
	$(call install,medkg with what evaluations need,requirements/demo.lock,,--no-compile)
	@touch $(VENV)/.base $@

# the tests start so many processes that what they import is best compiled at once, as pip does it
$(VENV)/.dev: requirements/dev.lock pyproject.toml | $(BIN)/python
	$(call install,medkg and its developer tools,requirements/dev.lock,--compile-bytecode,)
	@touch $(VENV)/.base $(VENV)/.demo $@

# $(1) what is installed, $(2) the lock file, $(3) options for uv, $(4) options for pip;
# a lock names every package, so that none has to be looked for (--no-deps)
define install
	@echo "Installing $(1) into $(VENV): $$(grep -c '^[a-z].*==' $(2)) packages, which are downloaded first ..."; \
	if command -v uv >/dev/null; then \
	    uv pip install --quiet --python $(BIN)/python $(3) --no-deps --require-hashes -r $(2); \
	    uv pip install --quiet --python $(BIN)/python --no-build-isolation --no-deps --editable .; \
	else \
	    $(BIN)/python -m pip install --quiet $(4) --no-deps --require-hashes -r $(2); \
	    $(BIN)/python -m pip install --quiet $(4) --no-build-isolation --no-deps --editable .; \
	fi; \
	echo "Installed in $$SECONDS s."
endef
