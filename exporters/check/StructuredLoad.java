// SPDX-License-Identifier: Apache-2.0

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;

/** A structured streaming query in one JVM: StructuredLoad SECONDS. It counts rows that it makes itself. */
public class StructuredLoad {
  public static void main(String[] args) throws Exception {
    try (SparkSession session =
        SparkSession.builder()
            .master("local[2]")
            .appName("nstar-check")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.sql.streaming.metricsEnabled", "true")
            .config("spark.metrics.conf.*.sink.jmx.class", "org.apache.spark.metrics.sink.JmxSink")
            .getOrCreate()) {
      // A group for each row, so that the state grows.
      Dataset<Row> counts =
          session
              .readStream()
              .format("rate")
              .option("rowsPerSecond", 200)
              .load()
              .groupBy("value")
              .count();
      counts
          .writeStream()
          .queryName("counts")
          .outputMode("update")
          .format("noop")
          .trigger(Trigger.ProcessingTime(500))
          .start()
          .awaitTermination(Long.parseLong(args[0]) * 1000);
    }
  }
}
