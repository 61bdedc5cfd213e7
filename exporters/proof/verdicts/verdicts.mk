# SPDX-License-Identifier: Apache-2.0
#
# The truth table of the verdicts: faults in real applications, and what is said about them. docs/verdicts.md.

.PHONY: experiment-consolidation check-verdicts check-verdicts-short check-causes check-waiting check-replay \
	check-yours verdicts-tools

# None of these packages starts a service where there is no systemd, and each is started by hand on a port of its own.
verdicts-tools: build
	@tools/apt.sh ca-certificates curl iproute2 util-linux openjdk-17-jdk-headless \
		apache2-bin mariadb-server-core mariadb-client-core tomcat10-common libtomcat10-java libmariadb-java
	@tools/debian.sh prometheus >/dev/null
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/verdicts

check-verdicts: verdicts-tools ## hold the verdicts against faults in eighteen real applications (10 hours; ARGS="-only 'db-*' -app board")
	.cache/proof/verdicts $(ARGS)

check-verdicts-short: verdicts-tools ## the same for a few faults of the demo's application (5 minutes)
	.cache/proof/verdicts -app board -only healthy-30,db-stop -minutes 1.5 $(ARGS)

check-waiting: verdicts-tools ## split the waiting of the demo's tiers at low and high load, beside what Tomcat and MariaDB count (4 minutes)
	.cache/proof/verdicts -waiting $(ARGS)

check-causes: verdicts-tools ## provoke causes on the demo's stack and see who is named (75 minutes; ARGS="-collectors g1 -only 'lock*'")
	.cache/proof/verdicts -causes 2 -collectors g1,serial,parallel $(ARGS)

check-replay: ## judge recorded runs again, by default those that are kept (a second each; ARGS="-replay 'DIR/*.jsonl' -every 5s")
	@tools/debian.sh prometheus >/dev/null
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/verdicts
	.cache/proof/verdicts -replay 'exporters/proof/verdicts/testdata/recordings/*' $(ARGS)

check-yours: build ## judge an application of yours while you make a fault (as root; ARGS="-l LOAD -f FAULT DIRECTORY")
	@tools/apt.sh curl jq util-linux
	@tools/debian.sh prometheus >/dev/null
	exporters/proof/verdicts/yours.sh $(ARGS)

experiment-consolidation: verdicts-tools ## two boards whose databases share a processor (10 minutes; ARGS="-level 5s")
	.cache/proof/verdicts -consolidation $(ARGS)
