// SPDX-License-Identifier: Apache-2.0

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.streaming.Durations;
import org.apache.spark.streaming.api.java.JavaStreamingContext;
import org.apache.spark.streaming.kafka010.ConsumerStrategies;
import org.apache.spark.streaming.kafka010.KafkaUtils;
import org.apache.spark.streaming.kafka010.LocationStrategies;

/**
 * The pipeline's processing: Spark Streaming (DStream) reads Kafka without a receiver, scores each message, and stores
 * it in Cassandra as a row. Driver and executor share a JVM.
 *
 * <p>/fresh forgets all that was not processed yet and begins with the records that come from now on; /summary counts
 * the rows that Cassandra has acknowledged since then, with the mean time from a record's creation to there.
 */
@SuppressWarnings("deprecation") // only DStreams show the delays that the thesis names
public class Stream {
  private static final int BATCH_MILLISECONDS = 1000;

  private static final int WORK = Control.number("WORK");
  private static final int LOOKUP_MILLISECONDS = Control.number("LOOKUP_MS");
  private static final int WRITES_AT_ONCE = Control.number("WRITES_AT_ONCE");
  private static final String PADDING = "x".repeat(Control.number("ROW_BYTES"));

  /** What one stream does, from when it begins to when another one takes its place. */
  private static final class Round {
    final int number;
    final long begun = System.nanoTime();
    final LongAdder rows = new LongAdder();
    final LongAdder milliseconds = new LongAdder();
    final LongAdder failed = new LongAdder();

    Round(int number) {
      this.number = number;
    }
  }

  private static volatile Round current = new Round(1);
  private static CqlSession session;
  private static PreparedStatement insert;
  private static JavaSparkContext spark;
  private static JavaStreamingContext stream;

  public static void main(String[] args) {
    try {
      run();
    } catch (Exception | LinkageError e) { // the driver's threads would go on without it
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static void run() throws Exception {
    session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress("127.0.0.1", Control.number("CASSANDRA_PORT")))
            .withLocalDatacenter("datacenter1")
            .build();
    session.execute(
        "create keyspace if not exists pipeline"
            + " with replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute(
        "create table if not exists pipeline.messages (part int, place bigint, sender int, score int, text text,"
            + " primary key ((part, place)))");
    insert =
        session.prepare(
            "insert into pipeline.messages (part, place, sender, score, text) values (?, ?, ?, ?, ?) "
                + System.getenv("CONDITION"));
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[" + Control.number("CORES") + "]")
                .setAppName("pipeline")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.local.dir", System.getenv("DEMO") + "/spark")
                .set("spark.metrics.conf.*.sink.jmx.class", "org.apache.spark.metrics.sink.JmxSink"));
    spark.setLogLevel("WARN");
    begin();
    Control.serve(Control.number("STREAM_CONTROL"), Map.of("/fresh", Stream::fresh, "/summary", Stream::summary));
  }

  private static String fresh(Map<String, String> parameters) {
    current = new Round(current.number + 1); // tasks of the old one end with their next record
    stream.stop(false, false);
    begin();
    return "{}";
  }

  private static String summary(Map<String, String> parameters) {
    Round round = current;
    long rows = round.rows.sum();
    return String.format(
        "{\"completions\": %d, \"duration_seconds\": %.6f, \"mean_seconds\": %.6f, \"errors\": %d}",
        rows,
        (System.nanoTime() - round.begun) / 1e9,
        round.milliseconds.sum() / 1e3 / Math.max(1, rows),
        round.failed.sum());
  }

  /** Begins with the newest records. */
  private static void begin() {
    int number = current.number;
    stream = new JavaStreamingContext(spark, Durations.milliseconds(BATCH_MILLISECONDS));
    List<TopicPartition> partitions = new ArrayList<>();
    for (int i = Control.number("PARTITIONS"); i > 0; i--) {
      partitions.add(new TopicPartition(System.getenv("TOPIC"), i - 1));
    }
    Map<String, Object> kafka =
        Map.of(
            "bootstrap.servers", "127.0.0.1:" + Control.number("KAFKA_PORT"),
            "group.id", "stream",
            "auto.offset.reset", "latest",
            "enable.auto.commit", false,
            "key.deserializer", IntegerDeserializer.class,
            "value.deserializer", StringDeserializer.class);
    KafkaUtils.createDirectStream(
            stream,
            LocationStrategies.PreferConsistent(),
            ConsumerStrategies.<Integer, String>Assign(partitions, kafka))
        .foreachRDD(records -> records.foreachPartition(part -> store(part, number)));
    stream.start();
  }

  /** Scores and stores the records of a partition, so many rows at once, and returns when all are stored. */
  private static void store(Iterator<ConsumerRecord<Integer, String>> records, int number) throws InterruptedException {
    Round round = current;
    Semaphore places = new Semaphore(WRITES_AT_ONCE);
    while (number == current.number && records.hasNext()) {
      ConsumerRecord<Integer, String> record = records.next();
      int score = 0;
      for (int i = 0; i < WORK; i++) {
        score = Words.score(record.value());
      }
      if (LOOKUP_MILLISECONDS > 0) { // somebody outside is asked, and answers after this time
        Thread.sleep(LOOKUP_MILLISECONDS);
      }
      places.acquire();
      session
          .executeAsync(insert.bind(record.partition(), record.offset(), record.key(), score, record.value() + PADDING))
          .whenComplete(
              (result, failure) -> {
                places.release();
                if (failure != null) {
                  round.failed.increment();
                  return;
                }
                round.rows.increment();
                round.milliseconds.add(System.currentTimeMillis() - record.timestamp());
              });
    }
    places.acquire(WRITES_AT_ONCE);
  }
}
