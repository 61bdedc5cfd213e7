# SPDX-License-Identifier: Apache-2.0
#
# Load experiments in many setups of real applications. docs/learning.md.

.PHONY: campaign-lamp campaign-pipeline

campaign-lamp: build ## measure WordPress behind Apache in 17 setups (5 hours; may be interrupted; ARGS="-only 'db-*' -note ...")
	@deploy/blog/install.sh
	@tools/apt.sh apache2-bin
	@tools/debian.sh prometheus prometheus-apache-exporter prometheus-mysqld-exporter \
		prometheus-node-exporter >/dev/null
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/campaign
	.cache/proof/campaign -application lamp $(ARGS)

campaign-pipeline: build ## measure Kafka, Spark and Cassandra in 13 setups (8 hours; may be interrupted; ARGS="-only 'spark-*' -note ...")
	@deploy/pipeline/install.sh
	@tools/debian.sh prometheus prometheus-node-exporter >/dev/null
	@mkdir -p .cache/proof
	go build -o .cache/proof/ ./exporters/proof/campaign
	.cache/proof/campaign -application pipeline $(ARGS)
