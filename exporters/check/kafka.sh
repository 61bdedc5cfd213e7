# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# Two Kafka brokers, with ZooKeeper (the last Kafka that has it) or in KRaft mode, a producer and a consumer.

# broker NUMBER: its configuration but for what ZooKeeper and KRaft do differently.
broker() {
	cat <<-END
		log.dirs=$work/log$1
		offsets.topic.replication.factor=1
		group.initial.rebalance.delay.ms=0
		inter.broker.listener.name=PLAINTEXT
		listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
	END
}

check_kafka() {
	local mode=$1 class i
	class=$(jars kafka)
	local java=(java -Xmx256m -XX:+UseSerialGC -cp "$class")
	case $mode in
	zookeeper)
		printf '%s\n' "dataDir=$work/zk" clientPort=22181 clientPortAddress=127.0.0.1 admin.enableServer=false \
			>"$work/zoo.cfg"
		start zookeeper "${java[@]}" "$(agent 29401 zookeeper/server.yml)" \
			org.apache.zookeeper.server.quorum.QuorumPeerMain "$work/zoo.cfg"
		await 60 curl -fs 127.0.0.1:29401/metrics
		for i in 1 2; do
			{
				broker $i
				printf '%s\n' broker.id=$i "listeners=PLAINTEXT://127.0.0.1:2909$i" zookeeper.connect=127.0.0.1:22181
			} >"$work/broker$i.properties"
		done
		;;
	kraft)
		for i in 1 2; do
			{
				broker $i
				printf '%s\n' node.id=$i controller.quorum.voters=1@127.0.0.1:29093 controller.listener.names=CONTROLLER
				case $i in
				1)
					printf '%s\n' process.roles=broker,controller \
						'listeners=PLAINTEXT://127.0.0.1:29091,CONTROLLER://127.0.0.1:29093'
					;;
				2) printf '%s\n' process.roles=broker 'listeners=PLAINTEXT://127.0.0.1:29092' ;;
				esac
			} >"$work/broker$i.properties"
			"${java[@]}" kafka.tools.StorageTool format -t 4L6g3nShT-eMCtK--X86sw -c "$work/broker$i.properties" \
				>"$work/format$i.log" 2>&1
		done
		;;
	esac
	for i in 1 2; do
		start "broker$i" "${java[@]}" "$(agent 2941$i kafka/broker.yml)" kafka.Kafka "$work/broker$i.properties"
	done
	for i in 1 2; do
		await 120 curl -fs "127.0.0.1:2941$i/metrics"
		await 60 bash -c "</dev/tcp/127.0.0.1/2909$i"
	done
	start clients "${java[@]}" "$(agent 29403 kafka/client.yml)" "$here/KafkaLoad.java" \
		127.0.0.1:29091,127.0.0.1:29092 2 600
	# The consumer shows a lag once it has fetched.
	await 120 bash -c 'curl -fs 127.0.0.1:29403/metrics | grep -q ^kafka_consumer_records_lag'
	[ "$mode" = kraft ] || before zookeeper 127.0.0.1:29401/metrics
	before kafka 127.0.0.1:29411/metrics
	before kafka-clients 127.0.0.1:29403/metrics
	sleep 15
	[ "$mode" = kraft ] || after zookeeper 127.0.0.1:29401/metrics
	after kafka 127.0.0.1:29411/metrics
	after kafka-clients 127.0.0.1:29403/metrics
	[ "$mode" = kraft ] || judge zookeeper zookeeper/series.txt
	judge kafka kafka/series.txt
	judge kafka-clients kafka/client_series.txt
}
