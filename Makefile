# Everything a contributor runs. A fresh machine needs Python 3.11 or later and make; `make help` lists the targets.
# The tools live in .venv, set up once and again whenever pyproject.toml changes. Programs are run as `python -m`, from
# this folder, so that the checkout is what runs and a checkout whose path has spaces or that was moved works too.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
PY := $(VENV)/bin/python
ZIZMOR := $(VENV)/bin/zizmor
SERVER := .editor/node_modules/yaml-language-server/bin/yaml-language-server

SHELL := /bin/sh
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# Settings of the caller's shell that would change which modules are found, have every process compile all of them anew
# (half of what most take: the tests start hundreds), or make pip talk of itself.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_REQUIRE_VIRTUALENV := 1

.PHONY: help demo test test-all lint style types layers workflows check-schemas pytest schemas hashes golden games pictures bench soak editor release page setup format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-22s%s\n", $$1, $$2 }'

demo: $(VENV)/.run ## a whole match of Méditerranée, played by bots
	@$(PY) -m adjudicator demo mediterranee
	@echo "In this copy of the repository the command is $(VENV)/bin/adjudicator."

test: $(VENV)/.dev ## all that must pass before a commit: each rule and each promise once
	@$(MAKE) --no-print-directory -j $(JOBS) lint check-schemas
	@$(MAKE) --no-print-directory pytest

test-all: test ## the same, then the rest, as CI does: browser, mail server, git, whole matches, every option, hostile files
	@$(IN_MEMORY) $(PYTEST) -m "ci and not soak"

lint: style types layers workflows ## ruff, mypy, import-linter, zizmor

style: $(VENV)/.dev
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check

types: $(VENV)/.dev
	@$(PY) -m mypy

layers: $(VENV)/.dev
	@$(PY) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()' --no-logo

JOBS_OF_HOSTS := $(wildcard examples/git/.github/workflows/*.yml examples/git/.forgejo/workflows/*.yml)

workflows: $(VENV)/.dev
	@$(PY) -m check_jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml $(JOBS_OF_HOSTS)
	@$(PY) -m check_jsonschema --quiet --builtin-schema vendor.gitlab-ci examples/git/.gitlab-ci.yml
	@$(ZIZMOR) --offline --no-progress --quiet .github/workflows $(JOBS_OF_HOSTS)

check-schemas: $(VENV)/.dev # the committed schemas are the ones that the rulebooks give
	@$(PY) -m adjudicator.engine.sheets.published --check

# The tests of a file share what it takes to set them up, so they go to one process. What they write lies in memory,
# where there is enough for it.
PYTEST = $(PY) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder
IN_MEMORY = $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { print "PYTEST_DEBUG_TEMPROOT=/dev/shm" }')

pytest: $(VENV)/.dev
	@$(IN_MEMORY) $(PYTEST)

format: $(VENV)/.dev ## put the code into shape: ruff format, sorted imports
	@$(PY) -m ruff check --fix --select I
	@$(PY) -m ruff format

schemas: $(VENV)/.run ## write schemas/ again from the rulebooks, and pack the scripts of the page for orders
	@$(PY) -m adjudicator.engine.sheets.published
	@PYTHONPATH=.:tests/foreign $(PY) -m adjudicator.engine.sheets.published carters
	@$(PY) -m adjudicator.engine.report.page_scripts

hashes: $(VENV)/.dev ## the libraries that a git host's job installs, by their SHA-256; for a release, needs the network
	@$(PY) -m pip install --quiet --target build/uv uv
	@{ sed -n 1p templates/git/requirements.txt; build/uv/bin/uv pip compile --quiet --universal --generate-hashes \
		--no-annotate --no-header --python-version 3.11 --upgrade --extra git pyproject.toml; } > build/requirements.txt
	@mv build/requirements.txt templates/git/requirements.txt

golden: $(VENV)/.dev ## replay the golden matches of the tests from their sheets; look at the diff before you commit it
	@$(PY) -m tests.golden

games: $(VENV)/.dev ## play the matches in games/ anew, by bots; for a release
	@$(PY) -m tests.games

pictures: $(VENV)/.dev ## the pictures in README and games/; needs Chromium. AT=folder: of all kinds of pages
	@$(PY) -m tests.browser.pictures $(if $(AT),'$(AT)')

page: $(VENV)/.dev ## dist/adjudicator-page-*.zip, of which `adjudicator page` makes the page of links; needs npm. WHEELS=others' games
	@$(PY) .ci/page/build.py $(WHEELS)

bench: $(VENV)/.dev ## how long things take. AGAINST=commit: here and there by turns, WORKS=mediterranee: some of it
	@$(if $(AGAINST),$(PY) -m tests.bench_against '$(AGAINST)' $(WORKS),$(PY) tests/bench.py $(WORKS))
	@$(if $(AGAINST)$(WORKS),,$(PY) -m tests.bench_page)

soak: $(VENV)/.dev ## all of what the tests try only some, and many random matches of every rulebook; takes long
	@$(PY) -m pytest -n $(JOBS) --dist loadfile -m soak
	@$(PY) tests/soak.py

release: $(VENV)/.dev ## all that a release publishes, in dist/: wheel, sdist, zip app, a folder for Windows, man pages
	@$(PY) .ci/release.py

editor: $(VENV)/.dev $(SERVER) ## forms in a real editor's language server; needs node and npm
	@$(PY) -m tests.editor.trial $(SERVER) $(if $(AT),'$(AT)')

$(SERVER):
	@command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1 \
		|| { echo "node and npm are needed for this, and only for this." >&2; exit 1; }
	@echo "Installing yaml-language-server into .editor ..."
	@npm install --prefix .editor --no-save --no-package-lock --no-audit --no-fund --loglevel=error yaml-language-server@1

setup: $(VENV)/.dev ## the virtual environment in .venv, with the tools

clean: ## remove what make and the tools wrote, .venv too
	rm -rf $(VENV) .editor build dist *.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

# --- setting up -------------------------------------------------------------------------------------------------------
# Two stamps: the program alone, enough to play, and the tools on top. One waits for the other: under `make -j` no two
# pips work in one environment. An environment whose Python is gone, or was replaced by another version, is set up anew.
# (Looked at here, since make sees only times, and a Python may be older than the environment that was made with it.)
$(shell $(PY) -c 'import msgspec' 2>/dev/null || rm -f $(VENV)/.run $(VENV)/.dev)

$(VENV)/.run: pyproject.toml
	@$(PY) -m pip --version >/dev/null 2>&1 || { $(new_venv); }
	@echo "Installing the program into $(VENV) ..."
	@$(PY) -m pip install --quiet --editable .
	@$(PY) -m compileall -q adjudicator
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@echo "Installing the tools into $(VENV) ..."
	@$(PY) -m pip install --quiet --editable '.[dev]'
	@touch $@

define new_venv
command -v "$(PYTHON)" >/dev/null 2>&1 \
	|| { echo "There is no '$(PYTHON)' here. Install Python 3.11 or later, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }; \
"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Python 3.11 or later is needed, '$(PYTHON)' is $$("$(PYTHON)" -V 2>&1). Name another: make PYTHON=python3.12" >&2; exit 1; }; \
"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null \
	|| { echo "'$(PYTHON)' cannot make virtual environments. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; \
"$(PYTHON)" -m venv --clear $(VENV) \
	|| { rm -rf $(VENV); echo "No virtual environment could be made in $(VENV), see above." >&2; exit 1; }
endef
