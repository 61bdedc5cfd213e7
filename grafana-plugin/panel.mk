# SPDX-License-Identifier: Apache-2.0
# The Grafana panel, and the page that shows it where there is no Grafana.

PLUGIN := grafana-plugin
# esbuild and swc bring their programs as packages; nothing needs an install script
PLUGIN_READY := $(PLUGIN)/node_modules/.package-lock.json
PLUGIN_SOURCES := $(shell find $(PLUGIN)/src $(PLUGIN)/.config -type f 2>/dev/null)
PAGE_SOURCES := $(shell find $(PLUGIN)/page $(PLUGIN)/host dashboards -type f \
	-not -path '*/dist/*' -not -path '*/node_modules/*' 2>/dev/null)

.PHONY: panel page test-panel test-browser bench-panel

$(PLUGIN_READY): $(PLUGIN)/package.json $(PLUGIN)/package-lock.json
	@tools/node.sh
	cd $(PLUGIN) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(PLUGIN)/dist/module.js: $(PLUGIN_READY) $(PLUGIN_SOURCES)
	cd $(PLUGIN) && npm run --silent build
	@touch $@

$(PLUGIN)/page/dist/index.html: $(PLUGIN)/dist/module.js $(PAGE_SOURCES)
	cd $(PLUGIN) && npm run --silent page
	@touch $@

panel: $(PLUGIN)/dist/module.js ## build the Grafana panel into grafana-plugin/dist

page: $(PLUGIN)/page/dist/index.html ## build the page for where there is no Grafana

test-panel: panel page ## check types, style and logic of the panel
	cd $(PLUGIN) && npm run --silent typecheck
	cd $(PLUGIN) && npm run --silent lint
	cd $(PLUGIN) && npm run --silent format
	@set -o pipefail; cd $(PLUGIN) && \
		npm run --silent test -- --verbose 2>&1 | sed 's/^PASS /file /' # counted case by case

# PROMETHEUS=URL chooses a running system instead, and FROM and TO (seconds since the epoch) the range; by default its
# last two minutes.
test-browser: panel page ## test the built panel in Chromium, on a recorded minute of the demo
	tools/apt.sh chromium fonts-inter
ifneq (,$(findstring ://,$(PROMETHEUS)))
	cd $(PLUGIN) && npm run --silent test-browser
else
	tools/debian.sh prometheus >/dev/null
	cd $(PLUGIN) && npm run --silent test-recording
endif

bench-panel: $(PLUGIN_READY) ## time the panel's drawing beside the way Grafana's XY chart draws
	tools/apt.sh chromium
	cd $(PLUGIN) && node bench/bench.mjs
