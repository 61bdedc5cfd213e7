# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make demo` shows Nstar at work, `make test` checks all of it. `make help` lists the rest.

export PATH := $(CURDIR)/.cache/go/bin:$(CURDIR)/.cache/node/bin:$(PATH)
SHELL := /bin/bash

.DEFAULT_GOAL := help

include exporters/nstar/exporter.mk
-include exporters/check/check.mk
-include exporters/proof/proof.mk
-include $(wildcard exporters/proof/*/*.mk)
-include rules/rules.mk
-include rules/learning/learning.mk
-include grafana-plugin/panel.mk
-include dashboards/dashboards.mk
-include deploy/demo/demo.mk

.PHONY: help test clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

test: ## install what the tests need and run all of them
	tools/test.sh

clean: ## remove what was built and downloaded; stops nothing, run `make demo-stop` first
	rm -rf bin .cache .demo grafana-plugin/{node_modules,dist,page/dist} dashboards/node_modules
