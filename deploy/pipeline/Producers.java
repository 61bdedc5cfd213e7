// SPDX-License-Identifier: Apache-2.0

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * The pipeline's clients. Each is a producer with a connection of its own that sends records as often as it is told,
 * until Kafka takes no more: then it waits for a place in its buffer, and sends less.
 *
 * <p>/start?clients=N&gap=NANOSECONDS&seed=S begins, with a mean time between two records of a client; /stop ends at
 * once; /summary counts what Kafka has acknowledged and what failed.
 */
public class Producers {
  /** What a producer may hold back, small, so that it soon feels a Kafka that takes no more. */
  private static final long BUFFER = 128 << 10;

  private static final int MESSAGE_BYTES = 100; // as in the thesis, 3.7

  private static final String SERVER = "127.0.0.1:" + Control.number("KAFKA_PORT");
  private static final String TOPIC = System.getenv("TOPIC");
  private static final int PARTITIONS = Control.number("PARTITIONS");

  /** One load: its clients stop when another one, or none, is the current one. */
  private static final class Load {
    final LongAdder acknowledged = new LongAdder();
    final LongAdder failed = new LongAdder();
  }

  private static volatile Load current = new Load();

  public static void main(String[] args) throws Exception {
    prepare();
    Control.serve(
        Control.number("PRODUCERS_CONTROL"),
        Map.of("/start", Producers::start, "/stop", Producers::stop, "/summary", Producers::summary));
  }

  /** Makes the topic, and the quota that all producers share, in bytes per second; none for 0. */
  private static void prepare() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", SERVER))) {
      try {
        admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw e;
        }
      }
      int quota = Control.number("QUOTA_BYTES");
      var everybody = new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "ANONYMOUS"));
      var limit = new ClientQuotaAlteration.Op("producer_byte_rate", quota == 0 ? null : (double) quota);
      admin.alterClientQuotas(List.of(new ClientQuotaAlteration(everybody, List.of(limit)))).all().get();
    }
  }

  private static String start(Map<String, String> parameters) {
    Load load = new Load();
    current = load;
    long gap = Long.parseLong(parameters.get("gap"));
    long seed = Long.parseLong(parameters.get("seed"));
    for (int i = Integer.parseInt(parameters.get("clients")); i > 0; i--) {
      int client = i;
      Thread thread = new Thread(() -> produce(load, client, gap, new Random(seed * 1_000_003 + client)));
      thread.setDaemon(true);
      thread.start();
    }
    return "{}";
  }

  private static String stop(Map<String, String> parameters) {
    current = new Load();
    return "{}";
  }

  private static String summary(Map<String, String> parameters) {
    return String.format(
        "{\"completions\": %d, \"errors\": %d}", current.acknowledged.sum(), current.failed.sum());
  }

  private static void produce(Load load, int client, long gap, Random random) {
    Properties p = new Properties();
    p.put("bootstrap.servers", SERVER);
    p.put("client.id", "client-" + client);
    p.put("acks", System.getenv("ACKS"));
    p.put("batch.size", System.getenv("BATCH_BYTES"));
    p.put("linger.ms", System.getenv("LINGER_MS"));
    p.put("buffer.memory", BUFFER);
    p.put("enable.idempotence", false);
    p.put("metrics.sample.window.ms", 1000); // 30 s would mix a point with the one before
    p.put("key.serializer", "org.apache.kafka.common.serialization.IntegerSerializer");
    p.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    KafkaProducer<Integer, String> producer = new KafkaProducer<>(p);
    long next = System.nanoTime();
    while (load == current) {
      // Gaps as of independent senders. Who was held up sends no more afterwards than before.
      next = Math.max(next - (long) (gap * Math.log(1 - random.nextDouble())), System.nanoTime());
      for (long left; load == current && (left = next - System.nanoTime()) > 0; ) {
        LockSupport.parkNanos(Math.min(left, 100_000_000L));
      }
      try {
        var record = new ProducerRecord<>(TOPIC, client % PARTITIONS, client, Words.message(random, MESSAGE_BYTES));
        producer.send(record, (place, failure) -> (failure == null ? load.acknowledged : load.failed).increment());
      } catch (RuntimeException e) { // the buffer was full for too long
        load.failed.increment();
      }
    }
    producer.close(java.time.Duration.ZERO);
  }
}
