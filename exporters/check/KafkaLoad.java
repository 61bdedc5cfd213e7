// SPDX-License-Identifier: Apache-2.0

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A small load for a Kafka cluster: KafkaLoad SERVERS REPLICAS SECONDS. One producer, and a consumer that reads it back. */
public class KafkaLoad {
  static final String TOPIC = "nstar-check";

  public static void main(String[] args) throws Exception {
    String servers = args[0];
    short replicas = Short.parseShort(args[1]);
    long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000_000L;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      if (!admin.listTopics().names().get().contains(TOPIC)) {
        admin.createTopics(List.of(new NewTopic(TOPIC, 2, replicas))).all().get();
      }
    }
    Thread reader = new Thread(() -> read(servers, end));
    reader.start();
    Properties p = new Properties();
    p.put("bootstrap.servers", servers);
    p.put("client.id", "nstar-check-producer");
    p.put("acks", "all");
    p.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    p.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
    String value = "x".repeat(200);
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(p)) {
      for (long i = 0; System.nanoTime() < end; i++) {
        producer.send(new ProducerRecord<>(TOPIC, Long.toString(i), value));
        if (i % 50 == 0) {
          Thread.sleep(20);
        }
      }
    }
    reader.join();
  }

  static void read(String servers, long end) {
    Properties p = new Properties();
    p.put("bootstrap.servers", servers);
    p.put("group.id", "nstar-check");
    p.put("client.id", "nstar-check-consumer");
    p.put("auto.offset.reset", "earliest");
    p.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    p.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(p)) {
      consumer.subscribe(List.of(TOPIC));
      while (System.nanoTime() < end) {
        consumer.poll(Duration.ofMillis(500));
      }
    }
  }
}
