// SPDX-License-Identifier: Apache-2.0

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.TransportConnector;
import org.apache.activemq.command.Response;
import org.apache.activemq.transport.Transport;
import org.apache.activemq.transport.TransportFactory;
import org.apache.activemq.transport.TransportFilter;

/** A broker of ActiveMQ that counts the responses that it sends, and clients that ask for them. */
public class OpenWire {
  public static void main(String[] args) throws Exception {
    if (args[0].equals("serve")) {
      serve("tcp://127.0.0.1:" + args[1], Path.of(args[2]));
    } else {
      load(args[0], new ActiveMQConnectionFactory("tcp://127.0.0.1:" + args[1]));
    }
    System.exit(0);
  }

  /** Writes the number of responses to a file, over and over. */
  static void serve(String address, Path counts) throws Exception {
    AtomicLong responses = new AtomicLong();
    BrokerService broker = new BrokerService();
    broker.setPersistent(false);
    broker.setUseJmx(false);
    broker.setAdvisorySupport(false);
    broker.addConnector(new TransportConnector(TransportFactory.bind(new URI(address))) {
      @Override
      protected org.apache.activemq.broker.Connection createConnection(Transport t) throws java.io.IOException {
        return super.createConnection(new TransportFilter(t) {
          @Override
          public void oneway(Object command) throws java.io.IOException {
            if (command instanceof Response) {
              responses.incrementAndGet();
            }
            super.oneway(command);
          }
        });
      }
    });
    broker.start();
    for (;;) {
      Path next = Path.of(counts + ".new");
      Files.writeString(next, responses + "\n");
      Files.move(next, counts, StandardCopyOption.ATOMIC_MOVE);
      Thread.sleep(20);
    }
  }

  static void load(String kind, ActiveMQConnectionFactory factory) throws Exception {
    switch (kind) {
      case "connections": // a producer on each of eight
        all(8, i -> {
          try (Connection c = factory.createConnection()) {
            send(c, "q" + i, 300, true);
          }
        });
        return;
      case "sessions": // producers and consumers on one, so that responses come in any order, between messages
        try (Connection c = factory.createConnection()) {
          pairs(c, c, 8, 300, true);
        }
        return;
      default: // messages that want no response, and consumers that commit
        try (Connection c = factory.createConnection(); Connection d = factory.createConnection()) {
          pairs(c, d, 2, 400, false);
        }
    }
  }

  /** Producers, each with a consumer of its own. Either the messages want responses, or the consumers commit. */
  static void pairs(Connection producers, Connection consumers, int n, int messages, boolean persistent)
      throws Exception {
    consumers.start();
    all(2 * n, i -> {
      String queue = "p" + n + "-" + i / 2;
      if (i % 2 == 0) {
        send(producers, queue, messages, persistent);
      } else {
        receive(consumers, queue, messages, !persistent);
      }
    });
  }

  static void send(Connection c, String queue, int n, boolean persistent) throws Exception {
    try (Session s = c.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer p = s.createProducer(s.createQueue(queue))) {
      p.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
      for (int i = 0; i < n; i++) {
        p.send(s.createTextMessage("x".repeat(1 + i * 97 % 4000)));
      }
    }
  }

  static void receive(Connection c, String queue, int n, boolean commits) throws Exception {
    int mode = commits ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE;
    try (Session s = c.createSession(commits, mode);
        MessageConsumer r = s.createConsumer(s.createQueue(queue))) {
      for (int i = 0; i < n; i++) {
        if (r.receive(10_000) == null) {
          throw new IllegalStateException("no message");
        }
        if (commits) {
          s.commit();
        }
      }
    }
  }

  interface Work {
    void run(int i) throws Exception;
  }

  static void all(int n, Work work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(n);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int number = i;
      tasks.add(() -> {
        work.run(number);
        return null;
      });
    }
    for (Future<Void> f : pool.invokeAll(tasks)) {
      f.get();
    }
    pool.shutdown();
  }
}
