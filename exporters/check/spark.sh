# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# A Spark Streaming application (DStream), and one with structured streaming; driver and executor in one JVM.

# spark_options sets options to what a JVM needs for Spark.
spark_options() {
	local name
	options=()
	# What Spark's own launcher opens for Java 17.
	for name in java.io java.lang java.lang.invoke java.lang.reflect java.net java.nio java.util java.util.concurrent \
		java.util.concurrent.atomic jdk.internal.ref sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
		options+=(--add-opens "java.base/$name=ALL-UNNAMED")
	done
}

check_spark() {
	local class options
	class=$(jars spark)
	spark_options
	start spark java "${options[@]}" -Xmx600m -XX:+UseSerialGC "$(agent 29602 spark/streaming.yml)" -cp "$class" \
		"$here/SparkLoad.java" 29603 600
	await 180 bash -c 'curl -fs 127.0.0.1:29602/metrics | grep -q "^spark_streaming_records_total [1-9]"'
	before spark 127.0.0.1:29602/metrics
	sleep 10
	after spark 127.0.0.1:29602/metrics
	judge spark spark/series.txt
}

check_structured() {
	local class options
	class=$(jars structured)
	spark_options
	start spark java "${options[@]}" -Xmx600m -XX:+UseSerialGC "$(agent 29605 spark/streaming.yml)" -cp "$class" \
		"$here/StructuredLoad.java" 600
	await 180 bash -c 'curl -fs 127.0.0.1:29605/metrics | grep -q "^spark_query_state_rows{.*} [1-9]"'
	before spark 127.0.0.1:29605/metrics
	sleep 10
	after spark 127.0.0.1:29605/metrics
	judge spark spark/structured_series.txt
}
