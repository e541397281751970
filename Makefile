# `make help` lists the targets. Everything is installed into this folder (.venv*); a second run installs nothing.
# Variables: PYTHON=/path/to/python3 and UV=/path/to/uv choose the tools, PYTEST="-k cucco" is passed to pytest.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# A venv that happens to be active must not be the one that gets changed.
unexport VIRTUAL_ENV
unexport PYTHONPATH
# The tests start Python some thousand times, and each start would compile what has changed since the last install.
unexport PYTHONDONTWRITEBYTECODE
# Bots are started by the dozen and may write no bytecode: without any, each start would compile what it imports.
export UV_COMPILE_BYTECODE := 1
ifdef PYTHON
export UV_PYTHON := $(PYTHON)
endif

BIN := .venv/bin
UV_PATH = $$(tools/get-uv.sh)
BUF := @bufbuild/buf@1.75.0
DEMO_DB := build/demo.db
# The modules in Cython, and what builds them.
EXTENSIONS := tools/build_hook.py tools/compile_extensions.py $(wildcard packages/botarena-*/hatch_build.py packages/botarena-rules/pyproject.toml packages/botarena-sdk/pyproject.toml) $(shell find arena referee $(wildcard packages/botarena-*/arena) -name '*.pyx' -o -name '*.pxd')
FAST_TESTS := tests/engine tests/games tests/test_scenarios.py tests/test_playthroughs.py tests/readings tests/referee tests/codec tests/redeal tests/record/test_redealt_prefix.py \
	tests/archive tests/test_third_party.py tests/testing/test_planted.py
# The files with tests that `make test-slow` runs: each worker would take 9 s to collect all. tests/process_starts.py sees that none is missed.
TEST_PATHS = $(shell sed -n '/^testpaths = /,/^]/s/^ *"\(.*\)",$$/\1/p' pyproject.toml)
SLOW_FILES = $(shell grep -rlE --include='test_*.py' 'mark\.(slow|processes)|with_processes|spawned_checks' $(TEST_PATHS))

.PHONY: help demo demo-league test test-slow test-all bots test-bots test-browser bench-web shots test-postgres test-cluster test-packages test-removal fast wheels install dist test-fast vectors lint format bench flame bench-league bench-ratings bench-resume bench-peers soak soak-league fuzz protos playthroughs catalogues docs deps-all test-rl docs-site test-docs test-server test-notebook notebook test-packaging libraries licences release-check clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

demo: .venv/.run ## Play a short tournament between the sample bots and show what can be looked at.
	@mkdir -p build && rm -f $(DEMO_DB) $(DEMO_DB)-wal $(DEMO_DB)-shm
	$(BIN)/arena tourney --game cambio --rounds 50 --trust-bots --db $(DEMO_DB)
	@echo
	$(BIN)/arena replay 1 --text --db $(DEMO_DB) | head -n 20
	@echo
	@echo "More to look at:"
	@echo "  $(BIN)/arena matches --db $(DEMO_DB)            the matches"
	@echo "  $(BIN)/arena replay 1 --db $(DEMO_DB)           the first one move by move (with --text: its whole log)"
	@echo "  $(BIN)/arena web --db $(DEMO_DB)                all of it as pages, at http://127.0.0.1:8000/"
	@echo "  $(BIN)/arena ranking --los --db $(DEMO_DB)      who is better than whom, and how surely"
	@echo "  $(BIN)/arena games cambio                          the game, its options and moves"

demo-league: .venv/.run ## Serve a league of sample bots for two minutes, hand in a bot and see its place. (SECONDS=30)
	tools/demo-league.sh $(or $(SECONDS),120)

# Each process that the tests start would compile what has changed since the last install.
test: .venv/.dev ## Run the tests, without most of those that start processes.
	@$(BIN)/python -m compileall -q arena referee sample_bots packages/botarena-*/arena*
	$(BIN)/pytest -n auto --dist worksteal $(PYTEST)

test-slow: .venv/.dev ## Run the tests that `make test` leaves out: they start processes, measure, soak, or repeat at length what a quicker test shows first.
	@$(BIN)/python -m compileall -q arena referee sample_bots packages/botarena-*/arena*
	$(BIN)/pytest -n auto --dist worksteal -m "not toolchain and (slow or processes and not promise)" $(SLOW_FILES) $(PYTEST)

test-all: .venv/.dev bots test-browser ## Run the tests on every Python from 3.11 that is installed, and those of bots in other languages.
	tools/test-pythons.sh -m '' $(PYTEST)

bots: .venv/.dev .venv-protos/.stamp ## Build the sample bots in other languages, as far as their tools are installed.
	tools/build-bots.sh

test-bots: .venv/.dev deps-all bots ## Run the tests of the bots in other languages, and of new ones by `arena init`.
	$(BIN)/pytest -n auto --dist worksteal -m toolchain tests/sample_bots tests/cli/test_init.py $(PYTEST)

# An installation compiles them. Until this is run after a change of a source, Python interprets them.
fast: .venv/.run ## Compile rules and referee again, after a change of their sources.
	@tools/get-headers.sh .venv --compiler
	@env -u ARENA_RULES $(BIN)/python -c 'from referee.build_info import compiled; raise SystemExit(not compiled())' || { \
		echo "compiling rules and referee: less than a minute ..." && uv=$(UV_PATH) && ARENA_COMPILE=all \
		"$$uv" pip install --quiet --python .venv --no-deps --reinstall -e . -e packages/botarena-rules; }
	@env -u ARENA_RULES $(BIN)/python -c 'from referee.build_info import compiled; raise SystemExit(not compiled() and "nothing is compiled")'

install: .venv/.run ## Install extras of botarena into .venv: make install EXTRAS=postgres,parquet.
	@if [ -z "$(EXTRAS)" ]; then echo "name extras: make install EXTRAS=postgres,parquet (docs/howto/install.md lists them)" >&2; exit 2; fi
	@uv=$(UV_PATH) && "$$uv" sync --frozen --no-dev --group features --inexact --quiet $$(printf -- '--extra %s ' $$(echo "$(EXTRAS)" | tr , ' '))

dist: ## Build wheels of everything for one Python into dist, to install arena from; `make wheels` makes those that are published.
	tools/build-dist.sh

wheels: ## Build wheels with all that is compiled for every Python from 3.11 that is installed, and sdists, into dist, and try each.
	tools/build-wheels.sh

test-packaging: .venv/.dev ## Run the tests of what is published: botarena-sdk alone and with the rules, and the libraries in other languages.
	$(BIN)/pytest -m '' tests/packaging $(PYTEST)

test-fast: .venv/.dev fast ## Run the tests of rules, records and referees with what is compiled.
	ARENA_RULES=compiled $(BIN)/pytest -n auto --dist worksteal -m "not toolchain and not slow" $(FAST_TESTS) $(PYTEST)

test-postgres: .venv/.dev deps-all ## Run the tests of databases on a PostgreSQL server, which they start themselves.
	$(BIN)/pytest -m toolchain tests/store tests/cli/test_postgres.py tests/server/test_refused_values.py packages/botarena-insight/tests/insight/test_stored_chances.py packages/botarena-insight/tests/insight/test_tables.py packages/botarena-mail/tests packages/botarena-tune/tests packages/botarena-webhooks/tests

test-removal: .venv/.dev ## Remove the packages with features, all and one at a time, and run the tests that may notice. (WITHOUT=all or WITHOUT=each: a part)
	@for which in $(or $(WITHOUT),all each); do tools/test-removal.sh $$which $(PYTEST) || status=1; done; exit $${status:-0}

test-cluster: .venv/.dev ## Run the tests of tournaments on the nodes of a Ray cluster, all of them on this machine.
	@uv=$(UV_PATH) && "$$uv" sync --frozen --inexact --quiet --extra cluster || echo "SKIPPED: Ray could not be installed"
	$(BIN)/pytest -m toolchain packages/botarena-cluster/tests

# An environment of their own: what they depend on is no dependency of arena. pytest and its plugins are those of the lock.
test-packages: .venv/.dev ## Install the packages in packages/ with what they need into .venv-packages, and run their tests.
	@tools/test-packages.sh $(PYTEST)

test-rl: .venv/.dev ## Run the tests of training: PettingZoo's, Gymnasium's and OpenSpiel's own for every game, and a short training.
	@uv=$(UV_PATH) && "$$uv" sync --frozen --inexact --quiet --extra rl --group rl || echo "SKIPPED: PettingZoo, Gymnasium, OpenSpiel or ONNX could not be installed"
	$(BIN)/pytest -m toolchain packages/botarena-envs/tests

lint: .venv/.dev ## Check style, types, the protocol and that the stubs are current.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	@if [ -x .venv-protos/bin/python ] || $(MAKE) --no-print-directory .venv-protos/.stamp; then \
		echo "protos/generate.sh --check"; UV=$(UV_PATH) protos/generate.sh --check && protos/generate-stubs.sh --check; \
	elif [ -n "$$CI" ]; then exit 1; \
	else echo "SKIPPED: stubs against protos/ (grpcio-tools could not be installed)"; fi
	@if ! command -v npx >/dev/null; then echo "SKIPPED: buf lint (npx of Node.js is not installed)"; \
	elif ! npx --yes $(BUF) --version >/dev/null 2>&1; then echo "SKIPPED: buf lint (npx could not install $(BUF))"; \
	else echo "buf lint protos"; npx --yes $(BUF) lint protos; fi

format: .venv/.dev ## Format the code and fix what ruff can fix.
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

bench: .venv/.run ## Measure engine, protocol and whole tournaments on this machine. (BENCH="--quick --json build/bench.json")
	$(BIN)/arena bench $(BENCH)

flame: .venv/.run ## Draw where the time of a referee goes, into docs/pictures/referee.svg (needs ptrace: root, or a kernel that lets you).
	tools/flame.sh docs/pictures/referee.svg

bench-ratings: .venv/.run ## Simulate tournaments: do 95 % bars hold the truth, whom do audits accuse, how often are equal bots separated? (some minutes)
	$(BIN)/python -m bench.research.interval_coverage
	$(BIN)/python -m bench.research.repeated_matches
	$(BIN)/python -m bench.research.audit_simulation
	$(BIN)/python -m bench.research.error_rates
	$(BIN)/python -m bench.research.early_tests

bench-league: .venv/.run ## Simulate leagues: how many matches does matchmaking save, does anybody starve, how long do ratings take? (some thirty minutes; LEAGUE="--quick")
	$(BIN)/python -m bench.research.league_simulation $(LEAGUE)
	$(BIN)/python -m bench.research.league_ratings
	$(BIN)/python -m bench.league_pace

bench-web: .venv/.dev deps-all ## Measure the pages in a real browser (some minutes).
	$(BIN)/python -m tools.web_figures
	$(BIN)/python -m tools.league_figures

test-browser: .venv/.dev deps-all ## Run the tests of the pages in a real browser.
	$(BIN)/pytest -n auto --dist loadfile -m toolchain tests/server packages/botarena-mail/tests/mail/test_in_browser.py packages/botarena-openid/tests packages/botarena-share/tests packages/botarena-site/tests --ignore tests/server/test_refused_values.py $(PYTEST)

test-notebook: .venv/.dev ## Run the notebooks of docs/notebooks in a Jupyter kernel, with pandas and polars, and the longer tests of the library.
	@uv=$(UV_PATH) && "$$uv" sync --frozen --inexact --quiet --group notebook || echo "SKIPPED: Jupyter could not be installed"
	$(BIN)/pytest -m toolchain tests/api

notebook: test-notebook ## Store the outputs of the notebooks of docs/notebooks anew.
	cd docs/notebooks && PATH="$(CURDIR)/$(BIN):$$PATH" jupyter execute --inplace --NotebookClient.record_timing=False *.ipynb && rm -f matches.parquet

SHOTS_IN = build/shots
shots: .venv/.dev deps-all ## Take pictures of the pages in all languages, of leagues in three sizes, of a match of every game, and of all cards. (SHOTS="--language ko --data build/earlier" SHOTS_IN=build/shots)
	$(BIN)/python -m tools.shots $(SHOTS_IN) $(SHOTS)
	$(BIN)/python -m tools.league_shots $(SHOTS_IN) $(SHOTS)
	$(BIN)/python -m tools.contact_sheet $(SHOTS_IN)

mutants: .venv/.dev ## Plant mistakes in a copy of the tree, one by one, and tell which no test notices. (some minutes; MUTANTS="rules --jobs 1")
	$(BIN)/python -m tools.mutants $(MUTANTS)

bench-resume: .venv/.run ## Kill a tournament and a league 20 times at random moments, and see that nothing is lost. (some minutes)
	$(BIN)/python -m tests.soak.kill_resume
	$(BIN)/python -m tests.soak.kill_league

soak: .venv/.run ## Play tournaments for half an hour amid kills, stops, locks, a full disk and floods. (SOAK="--minutes 5")
	$(BIN)/python -m tests.soak.tournament_soak $(SOAK)

soak-league: .venv/.run ## Keep a league open for an hour amid the same, with hand-ins and viewers. (SOAK="--minutes 5")
	$(BIN)/python -m tests.soak.league_soak $(SOAK)

fuzz: .venv/.dev ## Send damaged streams to a referee, and give damaged files to everything that reads files; what goes wrong is kept in build/fuzz. (an hour or more; FUZZ="--count 100")
	$(BIN)/python -m tests.fuzz.streams $(FUZZ)
	$(BIN)/python -m tests.fuzz.readers $(FUZZ)

# Match managers are programs that users have installed: their paths, none by default.
MANAGERS = $(if $(FASTCHESS),--fastchess $(FASTCHESS)) $(if $(C_CHESS_CLI),--c-chess-cli $(C_CHESS_CLI)) \
	$(if $(CUTECHESS_CLI),--cutechess-cli $(CUTECHESS_CLI)) $(if $(ENGINE),--engine $(ENGINE))

bench-peers: .venv/.run ## Measure match managers of chess (FASTCHESS=/path/to/fastchess) and other libraries of games beside arena. (about ten minutes)
ifneq ($(FASTCHESS)$(C_CHESS_CLI)$(CUTECHESS_CLI),)
	$(BIN)/arena bench --only peers $(MANAGERS) $(BENCH)
else
	@echo "SKIPPED: match managers of chess (build one, see docs/benchmarks.md, then: make bench-peers FASTCHESS=/path/to/fastchess)"
endif
	UV=$(UV_PATH) $(BIN)/python bench/peers/run.py

vectors: .venv/.run ## Make protos/vectors anew from its source.
	$(BIN)/python protos/vectors/make.py

protos: .venv-protos/.stamp ## Generate the stubs from protos/: those of arena, and those of bots in other languages.
	UV=$(UV_PATH) protos/generate.sh
	protos/generate-stubs.sh

playthroughs: .venv/.dev ## Rewrite tests/playthroughs after an intended change of rules.
	$(BIN)/python -m arena.testing.playthrough --write tests/playthroughs

catalogues: .venv/.dev ## Bring the catalogues of messages in arena/language/locale up to date, and say what has no translation.
	$(BIN)/python -m tools.catalogues

libraries: .venv-protos/.stamp ## Build the libraries for bots in Go, Rust, TypeScript and Java, as far as their tools are installed, into build/libraries.
	tools/build-libraries.sh

licences: .venv/.dev ## Write docs/licences.md: the licences of what botarena and its extras install.
	@uv=$(UV_PATH) && UV_PROJECT_ENVIRONMENT=build/licences "$$uv" sync --frozen --no-dev --all-extras --no-install-workspace --quiet
	build/licences/bin/python -m tools.licences

release-check: .venv/.dev ## Check that a release can be made: clean tree, versions, changelog, tag, generated pages, licences, wheels.
	@UV=$(UV_PATH) $(BIN)/python -m tools.release_check

docs: .venv/.run ## Generate docs/{cli,options,protocol,observations}.md, docs/schemas and the keys in docs/events.md from the commands, games, protos, layouts and readers.
	@mkdir -p build
	$(BIN)/python -m tools.install_lines
	$(BIN)/python -m tools.schemas
	$(BIN)/python -m tools.event_keys
	$(BIN)/python -m arena.cli.options_page > build/options.md && mv build/options.md docs/options.md
	$(BIN)/python -m arena.cli.reference_page > build/cli.md && mv build/cli.md docs/cli.md
	$(BIN)/python -m tools.protocol_page > build/protocol.md && mv build/protocol.md docs/protocol.md
	$(BIN)/python -m arena.envs.layout_page > build/observations.md && mv build/observations.md docs/observations.md

docs-site: .venv/.docs ## Build the documentation as a site into build/site; fails for a broken link.
	$(BIN)/python -m tools.docs_site

test-docs: .venv/.docs ## Build the site, check its links, and run the commands of tutorials and how-to guides.
	$(BIN)/pytest -n auto -m '' tests/docs --ignore tests/docs/test_server.py $(PYTEST)

test-server: .venv/.dev deps-all ## Check the files in deploy with systemd, Prometheus and the loader of docker compose; follow docs/server.md on a fresh Debian machine. (needs root)
	ARENA_COMPILE=codec $(BIN)/pytest -n 2 -m '' tests/deploy tests/docs/test_server.py $(PYTEST)

deps-all: .venv/.dev .venv-protos/.stamp ## Install everything that any target needs.
	@tools/get-packages.sh
	@uv=$(UV_PATH) && "$$uv" sync --frozen --inexact --quiet --group browser
	@if command -v npx >/dev/null; then npx --yes $(BUF) --version; else echo "SKIPPED: buf (npx of Node.js is not installed)"; fi

clean: ## Remove everything that make made, the installed packages too.
	rm -rf .venv .venv-uv .venv-protos .venv-packages .venv-removal* .venv-3.* build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find arena referee $(wildcard packages/botarena-*/arena) -name '*.so' -delete
	rm -rf referee/.compiled

# What `arena` needs to run, with the viewer, the pages and the gate for remote bots. The package is installed anew, which builds the modules in Cython where their sources changed.
.venv/.run: pyproject.toml uv.lock $(EXTENSIONS)
	@tools/remove-arena.sh .venv
	@tools/get-headers.sh .venv
	uv=$(UV_PATH) && "$$uv" sync --frozen --no-dev --group features --extra tui --extra web --extra serve --extra uv --inexact --reinstall-package botarena --reinstall-package botarena-rules --reinstall-package botarena-sdk --reinstall-package botarena-envs --quiet
	@$(BIN)/python -m referee.build_info
	@tools/get-bubblewrap.sh
	@$(BIN)/python -m compileall -q arena referee sample_bots packages/botarena-*/arena*
	@touch $@

# What the tests and checks need as well.
.venv/.dev: pyproject.toml uv.lock $(EXTENSIONS)
	@tools/remove-arena.sh .venv
	@tools/get-headers.sh .venv
	uv=$(UV_PATH) && "$$uv" sync --frozen --inexact --reinstall-package botarena --reinstall-package botarena-rules --reinstall-package botarena-sdk --reinstall-package botarena-envs --quiet
	@$(BIN)/python -m referee.build_info
	@tools/get-bubblewrap.sh
	@$(BIN)/python -m compileall -q arena referee sample_bots packages/botarena-*/arena*
	@touch $@ .venv/.run

# What the site of the documentation is built with.
.venv/.docs: .venv/.dev
	uv=$(UV_PATH) && "$$uv" sync --frozen --inexact --group docs --quiet
	@touch $@

# What makes the stubs: it excludes some versions of the above, hence a place of its own.
.venv-protos/.stamp: pyproject.toml uv.lock
	uv=$(UV_PATH) && UV_PROJECT_ENVIRONMENT=.venv-protos "$$uv" sync --frozen --only-group protos --quiet
	@touch $@
