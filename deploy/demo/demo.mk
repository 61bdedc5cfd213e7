# SPDX-License-Identifier: Apache-2.0
# The demo: a three-tier bulletin board under load, measured by Nstar.

.PHONY: demo demo-neighbour demo-stop demo-status demo-smoke

# make puts `make demo NAME=value` into the environment of the recipe.
demo: ## start the demo and diagnose it (as root; COLLECTOR=serial|g1|parallel CASE=neighbour)
	@deploy/demo/demo.sh start
	@deploy/demo/demo.sh show

demo-neighbour: ## add a batch job on Tomcat's processor to the demo that runs (CASE=neighbour starts with it)
	@deploy/demo/demo.sh neighbour

demo-stop: ## end everything that the demo started
	@deploy/demo/demo.sh stop

demo-status: ## say which parts of the demo run
	@deploy/demo/demo.sh status

demo-smoke: ## test the demo, the standard exporters and the alerts, with and without the freezes
	@deploy/demo/smoke.sh
