# SPDX-License-Identifier: Apache-2.0
#
# The proofs behind docs/proof.md. They need root, as the exporter does, and use loopback only. Each prints its figures
# and fails when one misses its limit. ARGS passes flags on, for example ARGS="-duration 20s".

ROUNDS ?= 15
PEER ?= no
PROOF := exporters/proof

.PHONY: proof-tools check-exactness check-protocols check-capacity bench

# None of these packages starts a service: apache2-bin is the program alone.
proof-tools:
	@tools/apt.sh apache2-bin wrk tcpdump tshark curl
	@[ "$(PEER)" = no ] || tools/apt.sh bpftrace
	@mkdir -p .cache/proof

check-exactness: build proof-tools ## compare the windows with the servers' own counts and with a capture (2 minutes)
	go build -o .cache/proof/ ./$(PROOF)/exactness
	.cache/proof/exactness -exporter bin/nstar_exporter -root . $(ARGS)

# Servers are unpacked, not installed: installing them would start services. Clients in Python come from PyPI.
PYTHON_CLIENTS := psycopg[binary]==3.3.9 asyncpg==0.32.0 confluent-kafka==2.16.1 cassandra-driver==3.30.1 \
	grpcio==1.85.3 \
	mysql-connector-python==26.10.0 paho-mqtt==2.2.0 pika==1.4.4 pymemcache==4.0.0 pymongo==4.20.0 PyMySQL==1.2.4 \
	redis==8.1.0 stomp.py==9.0.0

check-protocols: build proof-tools ## compare the counts of protocols with the servers' own (15 minutes)
	@tools/apt.sh curl nginx-light libpq5 libllvm14 libnghttp2-14 libjemalloc2 liblzf1 libev4 libjansson4 libc-ares2 \
		libcap2 libcjson1 libdlt2 libssl3 libsystemd0 libwrap0 python3-venv openjdk-17-jdk-headless \
		mariadb-server-core mariadb-client-core tomcat10-common libtomcat10-java
	@tools/debian.sh postgresql-15 postgresql-client-15 redis-server redis-tools nghttp2-client php8.2-fpm memcached \
		mosquitto >/dev/null
	@deploy/lib/install-rabbitmq.sh
	@exporters/check/jars.sh kafka cassandra activemq dubbo && exporters/jmx/start.sh >/dev/null
	@test -x .cache/proof/python/bin/python || python3 -m venv .cache/proof/python
	@.cache/proof/python/bin/python -m pip -q install $(PYTHON_CLIENTS)
	go build -C $(PROOF)/protocols/ferretdb -o $(CURDIR)/.cache/proof/ferretdb .
	go build -C $(PROOF)/protocols/brokers -o $(CURDIR)/.cache/proof/brokers .
	go build -o .cache/proof/ ./$(PROOF)/protocols
	.cache/proof/protocols -exporter bin/nstar_exporter -programs .cache/debian -python .cache/proof/python/bin/python \
		$(ARGS)

check-capacity: build proof-tools ## compare TPmax, N* and Little's law with servers of known capacity (3 minutes)
	@tools/debian.sh prometheus >/dev/null
	go build -o .cache/proof/ ./$(PROOF)/capacity
	.cache/proof/capacity -exporter bin/nstar_exporter -prometheus .cache/debian/usr/bin/prometheus \
		-rules 'rules/*.yaml' $(ARGS)

bench: build proof-tools ## measure what the exporter costs, by steps, on the demo's board and beside tcpdump (ROUNDS=15; ARGS="-only steps"; PEER=bpftrace adds a peer)
	@tools/apt.sh nginx-light
	go test -run '^$$' -bench . -benchtime 2s ./$(PROOF)/cost ./exporters/nstar/metrics
	go build -o .cache/proof/ ./$(PROOF)/cost
	.cache/proof/cost -exporter bin/nstar_exporter -rounds $(ROUNDS) $(ARGS)
