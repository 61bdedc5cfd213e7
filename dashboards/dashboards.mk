# SPDX-License-Identifier: Apache-2.0
# Grafana dashboards, generated from dashboards/src.

.PHONY: dashboards check-dashboards

DASHBOARDS_READY := dashboards/node_modules/.package-lock.json

$(DASHBOARDS_READY): dashboards/package.json dashboards/package-lock.json
	@tools/node.sh
	cd dashboards && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

dashboards: $(DASHBOARDS_READY) ## generate dashboards/*.json again
	cd dashboards && npm run --silent generate

# -count=1: Go does not notice changes of files outside of a module.
check-dashboards: $(DASHBOARDS_READY) setup ## check the dashboards: generated, panels complete, every query parsed, answers, the mixin
	cd dashboards && npm run --silent check
	cd dashboards && npm run --silent typecheck
	cd dashboards && npm run --silent format
	go test -count=1 ./dashboards/... ./deploy/grafana/... # test-go lists these
	cd tools/jsonnet && go vet ./... && go test -count=1 -v ./...
	cd tools/prometheus && go test -count=1 -run Dashboard ./... # test-go lists these
