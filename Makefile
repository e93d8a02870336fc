.DEFAULT_GOAL := help
SHELL := /bin/sh
.NOTPARALLEL:

# Values pass through environment variables unchanged: make neither expands nor quotes them.
ARG_FILE := $(value FILE)
ARG_YEAR := $(value YEAR)
ARG_NAME := $(value NAME)
ARG_EMAIL := $(value EMAIL)
ARG_LIMIT := $(value LIMIT)
ARG_LIVE := $(value LIVE)
ARG_PREFIX := $(value PREFIX)
ARG_ROUNDS := $(value ROUNDS)
ARG_SOURCE := $(value SOURCE)
ARG_EXPIRES := $(value EXPIRES)
ARG_GRACE := $(value GRACE)
export ARG_FILE ARG_YEAR ARG_NAME ARG_EMAIL ARG_LIMIT ARG_LIVE ARG_PREFIX ARG_ROUNDS ARG_SOURCE ARG_EXPIRES ARG_GRACE
unexport FILE YEAR NAME EMAIL LIMIT LIVE PREFIX ROUNDS SOURCE EXPIRES GRACE

ARG_VERSION := $(value VERSION)
ARG_MONTH := $(value MONTH)
# 0 means off.
ARG_JSON := $(filter-out 0,$(value JSON))
ARG_CSV := $(filter-out 0,$(value CSV))
ARG_Q := $(value Q)
export ARG_VERSION ARG_MONTH ARG_JSON ARG_CSV ARG_Q
unexport VERSION MONTH JSON CSV Q

ARG_FROM := $(value FROM)
ARG_TO := $(value TO)
ARG_CUT := $(value CUT)
# 0 means off.
ARG_ALONE := $(filter-out 0,$(value ALONE))
ARG_EVERY := $(value EVERY)
# 0 means off.
ARG_SMALL := $(filter-out 0,$(value SMALL))
ARG_BOX := $(filter-out 0,$(value BOX))
ARG_HISTORY := $(value HISTORY)
ARG_SAVE := $(value SAVE)
ARG_AGAINST := $(value AGAINST)
export ARG_CUT ARG_ALONE ARG_EVERY ARG_SMALL ARG_BOX ARG_HISTORY ARG_SAVE ARG_AGAINST
unexport CUT ALONE EVERY SMALL BOX HISTORY SAVE AGAINST
# 0 means off.
ARG_DRY_RUN := $(filter-out 0,$(value DRY_RUN))
ARG_FORCE := $(filter-out 0,$(value FORCE))
ARG_PUBLISH := $(filter-out 0,$(value PUBLISH))
ARG_LEVELS := $(filter-out 0,$(value LEVELS))
export ARG_FROM ARG_TO ARG_DRY_RUN ARG_FORCE ARG_PUBLISH ARG_LEVELS
unexport FROM TO DRY_RUN FORCE PUBLISH LEVELS

RUN := npm run --silent
# Bypasses npm, which adds a quarter of a second to every command.
HEADWIND := node_modules/.bin/node jobs/main.ts
# npm writes this file last, so its presence means that the packages of the service are installed.
INSTALLED := node_modules/.package-lock.json
# Marks that the packages of tests, linters and benches are installed too.
TOOLS := node_modules/.tools
# Runs one npm at a time, even with -j.
.NOTPARALLEL:

##@ Start

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(TOOLS) ## install missing npm packages, redis-server and libxgboost0
	@$(RUN) setup && echo 'Ready. Next: make run'

# Exit code 130 means Ctrl-C, the usual way to stop, so it is not an error.
.PHONY: run
run: ready ## start Redis, a worker and the API; the first start loads the bundled history
	@trap : INT; $(HEADWIND) run || [ $$? -eq 130 ]

.PHONY: api
api: ready ## start only the API
	@$(subst jobs/main.ts,--max-semi-space-size=16 --min-semi-space-size=16 jobs/main.ts,$(HEADWIND)) serve

.PHONY: worker
worker: ready ## start only a worker
	@$(HEADWIND) worker

##@ Load data

.PHONY: ingest
ingest: EXAMPLE = make ingest FILE="flights-2018.csv.gz"
ingest: export ARG_SHA256 := $(value SHA256)
ingest: export ARG_TOGETHER := $(filter-out 0,$(value TOGETHER))
ingest: need-FILE ready ## load flight files into the lake and the warehouse: FILE="path [path…]" [TOGETHER=1] [YEAR=2018] [SHA256=] [DRY_RUN=1] [FORCE=1] [PUBLISH=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$ARG_FILE; fi; $(HEADWIND) ingest "$$@" $${ARG_TOGETHER:+--together} $${ARG_YEAR:+--year "$$ARG_YEAR"} $${ARG_SHA256:+--sha256 "$$ARG_SHA256"} $${ARG_DRY_RUN:+--dry-run} $${ARG_FORCE:+--force} $${ARG_PUBLISH:+--publish}

.PHONY: backfill
backfill: EXAMPLE = make backfill FROM=2025-01 TO=2025-12
backfill: need-FROM need-TO ready ## load a range of months from BTS: FROM=2025-01 TO=2025-12 [DRY_RUN=1] [FORCE=1] [PUBLISH=1] [SOURCE=url-or-folder]
	@$(HEADWIND) backfill --from "$$ARG_FROM" --to "$$ARG_TO" $${ARG_SOURCE:+--source "$$ARG_SOURCE"} $${ARG_DRY_RUN:+--dry-run} $${ARG_FORCE:+--force} $${ARG_PUBLISH:+--publish}

.PHONY: backfill-weather
backfill-weather: EXAMPLE = make backfill-weather FROM=2025-01 TO=2025-12
backfill-weather: export ARG_ZONE := $(value ZONE)
backfill-weather: need-FROM need-TO ready ## load past weather, for typical weather by month: FROM=2025-01 TO=2025-12 [FORCE=1] [SOURCE=url-or-file] [ZONE=local]
	@$(HEADWIND) backfill-weather --from "$$ARG_FROM" --to "$$ARG_TO" $${ARG_SOURCE:+--source "$$ARG_SOURCE"} $${ARG_ZONE:+--zone "$$ARG_ZONE"} $${ARG_FORCE:+--force}

.PHONY: features
features: ready ## rebuild the marts and run the checks
	@$(HEADWIND) features

.PHONY: publish
publish: ready ## write a new score store and serve it
	@$(HEADWIND) publish

.PHONY: nightly
nightly: ready ## start the nightly run now: fetch new months, build, check, train, publish
	@$(HEADWIND) nightly

##@ Inspect

.PHONY: status
status: ready ## show health, months, runs, checks, store, model, schedules and queues: [MONTH=2025-03] [JSON=1]
	@$(HEADWIND) status $${ARG_MONTH:+--month "$$ARG_MONTH"} $${ARG_JSON:+--json}

.PHONY: schedule
schedule: export ARG_CRON := $(value CRON)
schedule: export ARG_PAUSE := $(filter-out 0,$(value PAUSE))
schedule: export ARG_RESUME := $(filter-out 0,$(value RESUME))
schedule: export ARG_RESET := $(filter-out 0,$(value RESET))
schedule: ready ## list the schedules with their next and last runs; pause or change one: [NAME=news] [CRON="*/15 * * * *"|off] [PAUSE=1] [RESUME=1] [RESET=1] [JSON=1]
	@$(HEADWIND) schedule $${ARG_CRON:+--pattern "$$ARG_CRON"} $${ARG_PAUSE:+--pause} $${ARG_RESUME:+--resume} $${ARG_RESET:+--reset} $${ARG_JSON:+--json} -- $${ARG_NAME:+"$$ARG_NAME"}

.PHONY: acknowledge
acknowledge: ready ## clear the failed jobs and refused months that make status lists; new failures are listed again
	@$(HEADWIND) acknowledge

.PHONY: check-data
check-data: export ARG_SELECT := $(value SELECT)
check-data: ready ## run the checks on the loaded data; SELECT prints the rows that fail one check: [SELECT=month_volume]
	@$(RUN) headwind -- check-data $${ARG_SELECT:+--select "$$ARG_SELECT"}

.PHONY: sql
sql: EXAMPLE = make sql Q="from runs"
sql: need-Q ready ## run a read-only query on the warehouse and the lake: Q="from runs" [JSON=1] [CSV=1]
	@$(HEADWIND) sql $${ARG_JSON:+--json} $${ARG_CSV:+--csv} -- "$$ARG_Q"

.PHONY: shell
shell: ready ## open a DuckDB prompt on a copy of the warehouse; no job waits for it
	@$(HEADWIND) shell

.PHONY: doctor
doctor: ready ## check machine, disk, clock, Redis, all stored files, schedules and upstreams, and suggest fixes: [JSON=1]
	@$(HEADWIND) doctor $${ARG_JSON:+--json}

.PHONY: free-space
free-space: ready ## delete downloads and temporary files, and list what else fills the disk; works on a full disk
	@$(HEADWIND) free-space

.PHONY: verify
verify: ready ## compare every stored file with its checksum: lake, versions, downloads, models, store: [JSON=1]
	@$(HEADWIND) verify $${ARG_JSON:+--json}

##@ Undo and back up

.PHONY: restore
restore: EXAMPLE = make restore MONTH=2025-03
restore: need-MONTH ready ## list former versions of months and restore the one before: MONTH=2025-03 or 2025-03..2025-06 [VERSION=] [DRY_RUN=1] [FORCE=1] [LEVELS=1] [PUBLISH=1]
	@$(HEADWIND) restore "$$ARG_MONTH" $${ARG_VERSION:+"$$ARG_VERSION"} $${ARG_DRY_RUN:+--dry-run} $${ARG_FORCE:+--force} $${ARG_LEVELS:+--levels} $${ARG_PUBLISH:+--publish}

.PHONY: drop
drop: EXAMPLE = make drop MONTH=2025-03
drop: need-MONTH ready ## remove a month from the lake and the warehouse; make restore undoes it: MONTH=2025-03 [LEVELS=1] [PUBLISH=1]
	@$(HEADWIND) drop "$$ARG_MONTH" $${ARG_LEVELS:+--levels} $${ARG_PUBLISH:+--publish}

.PHONY: rollback
rollback: ready ## serve a former score store again: [VERSION=20261101T023000Z-0123456789ab]
	@$(HEADWIND) rollback $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: rebuild
rebuild: ready ## rebuild the DuckDB file from the lake; the old file stays until the new one is complete
	@$(HEADWIND) rebuild

.PHONY: backup
backup: ready ## copy lake, models and keys to another disk while the service runs, by default to BACKUP_TO: [TO=folder]
	@$(HEADWIND) backup $${ARG_TO:+--to "$$ARG_TO"}

.PHONY: restore-drill
restore-drill: ready ## restore the newest backup of BACKUP_TO into a scratch folder and compare its answers
	@$(HEADWIND) restore-drill

.PHONY: restore-backup
restore-backup: EXAMPLE = make restore-backup FROM=/backups/headwind
restore-backup: need-FROM ready ## restore lake, models, keys and counts from a backup, rebuild and publish: FROM=folder [FORCE=1]
	@$(HEADWIND) restore-backup --from "$$ARG_FROM" $${ARG_FORCE:+--force}

.PHONY: lake-copy
lake-copy: EXAMPLE = make lake-copy FROM=data/lake TO=s3://bucket/lake
lake-copy: need-FROM need-TO ready ## copy a lake between a folder and a bucket, and verify the copy: FROM= TO= [FORCE=1]
	@$(HEADWIND) lake-copy --from "$$ARG_FROM" --to "$$ARG_TO" $${ARG_FORCE:+--force}

##@ The model

.PHONY: train
train: export ARG_ACCEPT := $(value ACCEPT)
train: ready ## train a model on the loaded months; it is released if it beats the released one: [ACCEPT=regional]
	@$(HEADWIND) train $${ARG_ACCEPT:+--accept "$$ARG_ACCEPT"}

.PHONY: model
model: ready ## list the models: training data, accuracy, and which one is served: [JSON=1]
	@$(HEADWIND) model $${ARG_JSON:+--json}

.PHONY: model-pin
model-pin: EXAMPLE = make model-pin VERSION=bundled
model-pin: need-VERSION ready ## use this model in every publish, even when another is released: VERSION=0123456789ab
	@$(HEADWIND) model-pin "$$ARG_VERSION"

.PHONY: model-unpin
model-unpin: ready ## use the released model in publishes again
	@$(HEADWIND) model-unpin

.PHONY: model-rollback
model-rollback: ready ## release a former model again: [VERSION=0123456789ab]
	@$(HEADWIND) model-rollback $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: model-rows
model-rows: EXAMPLE = make model-rows TO=rows.parquet
model-rows: need-TO ready ## write rows to train a model elsewhere, and the rows on which it is judged: TO=rows.parquet or TO=rows.csv
	@$(HEADWIND) model-rows "$$ARG_TO"

.PHONY: model-import
model-import: EXAMPLE = make model-import FILE=model.onnx
model-import: export ARG_ACCEPT := $(value ACCEPT)
model-import: need-FILE ready ## judge an ONNX model trained elsewhere, and release it if it is better than the released one: FILE=model.onnx [ACCEPT=regional]
	@$(HEADWIND) model-import $${ARG_ACCEPT:+--accept "$$ARG_ACCEPT"} "$$ARG_FILE"

.PHONY: model-remove
model-remove: ready ## remove an imported model; the next publish uses the last model trained here: [VERSION=0123456789ab]
	@$(HEADWIND) model-remove $${ARG_VERSION:+"$$ARG_VERSION"}

.PHONY: backtest
backtest: EXAMPLE = make backtest FILE=flights-2017.parquet CUT=2017-10-01
backtest: need-FILE need-CUT ready ## forecast the flights after a date from the history before it, and report the accuracy: FILE=path[,path] CUT=2017-10-01 [EVERY=1] [YEAR=2018] [ALONE=1] [BOX=1] [SMALL=1] [HISTORY=folder] [SAVE=file] [AGAINST=file] [JSON=1]
	@if [ -e "$$ARG_FILE" ]; then set -- "$$ARG_FILE"; else set -- $$(printf %s "$$ARG_FILE" | tr , ' '); fi; $(HEADWIND) backtest --cut "$$ARG_CUT" $${ARG_YEAR:+--year "$$ARG_YEAR"} $${ARG_EVERY:+--every "$$ARG_EVERY"} $${ARG_ALONE:+--alone} $${ARG_BOX:+--box} $${ARG_SMALL:+--small} $${ARG_HISTORY:+--history "$$ARG_HISTORY"} $${ARG_SAVE:+--save "$$ARG_SAVE"} $${ARG_AGAINST:+--against "$$ARG_AGAINST"} $${ARG_JSON:+--json} -- "$$@"

.PHONY: backtest-levels
backtest-levels: EXAMPLE = make backtest-levels FILE=delay-causes.csv
backtest-levels: need-FILE ready ## forecast the months of BTS's delay-cause table, and report the accuracy: FILE=path [CUT=2023-01-01] [JSON=1]
	@$(HEADWIND) backtest-levels "$$ARG_FILE" $${ARG_CUT:+--cut "$$ARG_CUT"} $${ARG_JSON:+--json}

##@ Keys

.PHONY: key
key: EXAMPLE = make key NAME="Acme Travel" EMAIL=dev@acme.example LIMIT=5000
key: need-NAME need-EMAIL ready ## create a test key, or a production key with LIVE=1: NAME="Acme Travel" EMAIL=dev@acme.example [LIMIT=5000|unlimited] [EXPIRES=2027-01-01] [LIVE=1]
	@$(HEADWIND) key --name "$$ARG_NAME" --email "$$ARG_EMAIL" $${ARG_LIMIT:+--limit "$$ARG_LIMIT"} $${ARG_EXPIRES:+--expires "$$ARG_EXPIRES"} $$([ "$$ARG_LIVE" = 1 ] && echo --live)

.PHONY: keys
keys: ready ## list keys with limit, use and last call; PREFIX shows one key by endpoint: [PREFIX=hw_live_3fK9aZ] [JSON=1]
	@$(HEADWIND) keys $${ARG_PREFIX:+--prefix "$$ARG_PREFIX"} $${ARG_JSON:+--json}

.PHONY: key-limit
key-limit: EXAMPLE = make key-limit PREFIX=hw_live_3fK9aZ LIMIT=20000
key-limit: need-PREFIX need-LIMIT ready ## change the monthly limit of a key: PREFIX=hw_live_3fK9aZ LIMIT=20000|unlimited
	@$(HEADWIND) key-limit --prefix "$$ARG_PREFIX" --limit "$$ARG_LIMIT"

.PHONY: key-rotate
key-rotate: EXAMPLE = make key-rotate PREFIX=hw_live_3fK9aZ GRACE=7d
key-rotate: need-PREFIX ready ## replace a key by a new one with its limit and counts; the old one works until the grace period ends: PREFIX=hw_live_3fK9aZ [GRACE=7d]
	@$(HEADWIND) key-rotate --prefix "$$ARG_PREFIX" $${ARG_GRACE:+--grace "$$ARG_GRACE"}

.PHONY: key-expiry
key-expiry: EXAMPLE = make key-expiry PREFIX=hw_live_3fK9aZ EXPIRES=2027-01-01
key-expiry: need-PREFIX need-EXPIRES ready ## set the last day of a key: PREFIX=hw_live_3fK9aZ EXPIRES=2027-01-01|never
	@$(HEADWIND) key-expiry --prefix "$$ARG_PREFIX" --expires "$$ARG_EXPIRES"

.PHONY: key-deactivate
key-deactivate: EXAMPLE = make key-deactivate PREFIX=hw_live_3fK9aZ
key-deactivate: need-PREFIX ready ## deactivate a key: PREFIX=hw_live_3fK9aZ
	@$(HEADWIND) key-deactivate --prefix "$$ARG_PREFIX"

.PHONY: key-activate
key-activate: EXAMPLE = make key-activate PREFIX=hw_live_3fK9aZ
key-activate: need-PREFIX ready ## activate a deactivated key again: PREFIX=hw_live_3fK9aZ
	@$(HEADWIND) key-activate --prefix "$$ARG_PREFIX"

.PHONY: signing-key-rotate
signing-key-rotate: ready ## sign answers with a new key; former keys still verify
	@$(HEADWIND) signing-key-rotate

.PHONY: keys-restore
keys-restore: ready ## restore keys and counts from the archive after Redis lost its data
	@$(HEADWIND) keys-restore

.PHONY: admin-key
admin-key: ready ## create an admin key, which may create keys over HTTP and open /ops: [NAME="Operations"]
	@$(HEADWIND) admin-key --name "$${ARG_NAME:-admin}"

##@ Develop

.PHONY: check
check: lint typecheck test ## lint, check types and run all tests

.PHONY: test
test: $(TOOLS) ready ## run all tests; to run one file: npm test -- test/models/blend.test.ts
	@node_modules/.bin/node jobs/cli/setup.ts --tests
	@$(RUN) test

.PHONY: lint
lint: $(TOOLS) ## lint and check the formatting
	@$(RUN) lint

.PHONY: typecheck
typecheck: $(TOOLS) ## check the types
	@$(RUN) typecheck

.PHONY: format
format: $(TOOLS) ## format the code
	@$(RUN) format

.PHONY: sbom
sbom: ready ## print the packages of the service with version and licence, as CycloneDX
	@npm sbom --silent --omit=dev --sbom-format=cyclonedx

##@ Measure

.PHONY: bench
bench: export ARG_PART := $(value PART)
bench: $(TOOLS) ready ## measure side by side with bare DuckDB and bare Koa: [PART="ingest nightly train api store model live metrics visitors engines growth"] [AGAINST=commit-or-folder, with PART=api]
	@$(RUN) bench -- $$ARG_PART $${ARG_AGAINST:+--against "$$ARG_AGAINST"}

.PHONY: chaos
chaos: export ARG_PART := $(value PART)
chaos: export ARG_SECONDS := $(value SECONDS)
chaos: export ARG_MINUTES := $(value MINUTES)
chaos: $(TOOLS) ready ## kill, freeze and cut off running processes and check that nothing is lost (docs/reliability.md): [PART="pipeline undo readers quota failover replicas hosts clock outage storage memory deploy soak"] [ROUNDS=] [SECONDS=6,60,600] [MINUTES=60]
	@$(RUN) chaos -- $$ARG_PART $${ARG_ROUNDS:+--rounds "$$ARG_ROUNDS"} $${ARG_SECONDS:+--seconds "$$ARG_SECONDS"} $${ARG_MINUTES:+--minutes "$$ARG_MINUTES"}

.PHONY: fuzz
fuzz: export ARG_REQUESTS := $(value REQUESTS)
fuzz: export ARG_SEED := $(value SEED)
fuzz: $(TOOLS) ready ## send malformed and hostile requests to a real API: [REQUESTS=100000] [SEED=1]
	@$(RUN) fuzz -- --requests "$${ARG_REQUESTS:-100000}" --seed "$${ARG_SEED:-1}"

.PHONY: generate
generate: EXAMPLE = make generate FROM=2025-01 TO=2025-12 OUT=/tmp/bts
generate: export ARG_OUT := $(value OUT)
generate: export ARG_ROWS := $(value ROWS)
generate: export ARG_SEED := $(value SEED)
generate: need-FROM need-OUT $(TOOLS) ## write synthetic months in BTS's format, for trials: FROM=2025-01 OUT=folder [TO=2025-12] [ROWS=600000] [SEED=1] [CSV=1]
	@$(RUN) generate -- --from "$$ARG_FROM" --out "$$ARG_OUT" $${ARG_TO:+--to "$$ARG_TO"} $${ARG_ROWS:+--rows "$$ARG_ROWS"} $${ARG_SEED:+--seed "$$ARG_SEED"} $${ARG_CSV:+--csv}

.PHONY: alerts
alerts: export ARG_ALERT := $(value ALERT)
alerts: $(TOOLS) ready ## break a real service so that each alert fires and clears; needs root and Prometheus: [ALERT=HeadwindSlow]
	@$(RUN) alerts -- $$ARG_ALERT

##@ Regenerate bundled data

.PHONY: seed
seed: EXAMPLE = make seed SOURCE=../flights
seed: need-SOURCE ready ## compute the bundled history: SOURCE=folder
	@$(HEADWIND) seed "$$ARG_SOURCE"

.PHONY: holidays
holidays: ready ## compute the bundled holidays
	@$(RUN) fit -- holidays

.PHONY: holiday-evidence
holiday-evidence: ready ## write the evidence for the effects of holidays: [SOURCE=folder of the public data]
	@$(RUN) fit -- holiday-evidence $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: airports
airports: ready ## write the bundled airports
	@$(RUN) fit -- airports

.PHONY: marks
marks: ready ## fit the points of the score and save them: [SOURCE=folder of flight files]
	@$(RUN) marks -- $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: weather-risk
weather-risk: ready ## fit the effect of weather on delays and save it: [SOURCE=folder of the public data]
	@$(RUN) fit -- weather --write $${ARG_SOURCE:+"$$ARG_SOURCE"}

.PHONY: score-scales
score-scales: ready ## draw the distribution of scores for docs/features.md
	@$(RUN) fit -- scales --write

# `npm ci` deletes the installed packages first. A running service may use them, so an existing installation is
# updated in place instead.
INSTALL := npm $$([ -e $(INSTALLED) ] && echo install --no-save || echo ci) --loglevel=error

# The lockfile fixes the versions. package.json is no prerequisite, or every new script would cause an install.
$(INSTALLED): package-lock.json .npmrc
	@echo 'Installing npm packages (about half a minute)…'
	@$(INSTALL) $$([ -e $(TOOLS) ] || echo --omit=dev)
	@touch $@
	@$(RUN) setup

$(TOOLS): package-lock.json .npmrc
	@echo 'Installing npm packages, those of the tests too (about a minute)…'
	@$(INSTALL)
	@touch $(INSTALLED) $@
	@$(RUN) setup

# Checks the system packages on every start: the check is cheap.
.PHONY: ready
ready: $(INSTALLED)
	@node_modules/.bin/node jobs/cli/setup.ts --required

# Stops before any work when a value is missing.
need-%:
	@test -n "$$ARG_$*" || { echo '$* is missing. Example: $(EXAMPLE)' >&2; exit 2; }
