# SPDX-License-Identifier: Apache-2.0
# Models learned from load experiments, as recording rules. docs/learning.md.

.PHONY: learning-tools learn study-lamp study-pipeline check-studies experiment-lamp experiment-pipeline check-learning

LEARNING := rules/learning
LEARNING_PYTHON := .cache/learning/python/bin/python

# Points, and where what the study and the learning make of them goes: those of `make campaign-lamp` unless you say
# otherwise (POINTS=.cache/campaign/pipeline).
POINTS ?= .cache/campaign/lamp
STUDIED ?= $(POINTS)/study
LEARNED ?= $(POINTS)/learned

# The stamp is the list of versions itself, so that another list installs anew.
learning-tools:
	@cmp -s $(LEARNING)/requirements.txt .cache/learning/requirements.txt || { tools/apt.sh python3-venv && \
		python3 -m venv --clear .cache/learning/python && \
		$(LEARNING_PYTHON) -m pip -q --disable-pip-version-check install -r $(LEARNING)/requirements.txt && \
		cp $(LEARNING)/requirements.txt .cache/learning/requirements.txt; }

learn: build learning-tools ## learn from POINTS (a campaign's directory) when capacity is reached: report and rules in LEARNED (20 minutes)
	bin/nstartool study $(POINTS)/study.yaml --output.directory $(STUDIED)
	PYTHONPATH=$(LEARNING) OMP_NUM_THREADS=1 $(LEARNING_PYTHON) -m nstar_learning --study $(STUDIED) \
		$(if $(wildcard $(POINTS)/points.csv),--points $(POINTS)/points.csv) \
		$(if $(wildcard $(POINTS)/tiers.csv),--tiers $(wildcard $(POINTS)/tiers.csv $(POINTS)/limits/tiers.csv)) \
		$(if $(wildcard $(POINTS)/calls.csv),--calls $(POINTS)/calls.csv) --output $(LEARNED) $(ARGS)

# What is committed of a study: the rest is for the learning, and of docs/experiments/*/data.
STUDY_FILES := report.html report.md rules.yaml

study-lamp: ## make the study's tables and pictures of docs/experiments/lamp anew from its data (a minute)
study-pipeline: ## the same of docs/experiments/pipeline
study-lamp study-pipeline: study-%: build
	bin/nstartool study docs/experiments/$*/data/study.yaml --output.directory .cache/experiments/$* >/dev/null
	mkdir -p docs/experiments/$*/study
	cp $(addprefix .cache/experiments/$*/,$(STUDY_FILES)) docs/experiments/$*/study/

check-studies: build ## check that the studies of docs/experiments are what their data give
	@for name in lamp pipeline; do \
		bin/nstartool study docs/experiments/$$name/data/study.yaml \
			--output.directory .cache/experiments/$$name >/dev/null || exit 1; \
		for file in $(STUDY_FILES); do \
			cmp .cache/experiments/$$name/$$file docs/experiments/$$name/study/$$file || { \
				echo "FAIL: docs/experiments/$$name/study is of an older nstartool or data: make study-$$name"; \
				exit 1; \
			}; \
		done; \
		echo "--- PASS: docs/experiments/$$name/study is what its data give"; \
	done

experiment-lamp: ## make the tables and pictures of docs/experiments/lamp anew from its data (20 minutes)
experiment-pipeline: ## the same of docs/experiments/pipeline
experiment-lamp experiment-pipeline: experiment-%: study-% elsewhere-%
	$(MAKE) learn POINTS=docs/experiments/$*/data STUDIED=.cache/experiments/$* \
		LEARNED=docs/experiments/$*/learned ARGS="--app $* \
		$(if $(wildcard docs/experiments/$*/elsewhere),--elsewhere docs/experiments/$*/elsewhere/points.csv \
		.cache/experiments/$*-elsewhere)"

# The same campaign on another machine, where there was one.
elsewhere-%: build
	[ ! -d docs/experiments/$*/elsewhere ] || bin/nstartool study docs/experiments/$*/elsewhere/study.yaml \
		--output.directory .cache/experiments/$*-elsewhere >/dev/null

check-learning: build learning-tools check-studies ## test what is learned and compiled, against promtool of both Prometheus versions
	cd $(LEARNING) && ../../.cache/learning/python/bin/ruff check -q . && \
		../../.cache/learning/python/bin/ruff format -q --check .
	@echo '--- PASS: format of the learning'
	cd $(LEARNING) && OMP_NUM_THREADS=1 ../../$(LEARNING_PYTHON) -m tests
