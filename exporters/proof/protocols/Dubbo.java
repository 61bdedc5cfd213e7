// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

/** A service of Dubbo that counts the calls that it answers, and clients that make them. */
public class Dubbo {
  /** What the service does: it answers, or is told something and does not. */
  public interface Work {
    String ask(String words);

    void tell(String words);
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    if (args[0].equals("serve")) {
      serve(port, Path.of(args[2]));
    } else {
      load(args[0], port);
    }
    System.exit(0);
  }

  /** Writes the number of answered calls to a file, over and over. */
  static void serve(int port, Path counts) throws Exception {
    AtomicLong answered = new AtomicLong();
    ServiceConfig<Work> service = new ServiceConfig<>();
    service.setInterface(Work.class);
    service.setRef(new Work() {
      @Override
      public String ask(String words) {
        try {
          Thread.sleep(ThreadLocalRandom.current().nextInt(8)); // so that answers come in another order
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        answered.incrementAndGet();
        return words;
      }

      @Override
      public void tell(String words) {}
    });
    ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
    protocol.setHost("127.0.0.1");
    bootstrap("server").protocol(protocol).service(service).start();
    for (;;) {
      Path next = Path.of(counts + ".new");
      Files.writeString(next, answered + "\n");
      Files.move(next, counts, StandardCopyOption.ATOMIC_MOVE);
      Thread.sleep(20);
    }
  }

  static DubboBootstrap bootstrap(String name) {
    ApplicationConfig application = new ApplicationConfig(name);
    application.setQosEnable(false);
    return DubboBootstrap.getInstance().application(application).registry(new RegistryConfig("N/A"));
  }

  static void load(String kind, int port) throws Exception {
    ReferenceConfig<Work> reference = new ReferenceConfig<>();
    reference.setInterface(Work.class);
    reference.setUrl("dubbo://127.0.0.1:" + port);
    reference.setTimeout(20_000);
    reference.setConnections(kind.equals("connections") ? 4 : 1);
    MethodConfig tell = new MethodConfig();
    tell.setName("tell");
    tell.setReturn(false);
    reference.setMethods(List.of(tell));
    bootstrap("client").reference(reference).start();
    Work work = reference.get();
    int threads = kind.equals("one at a time") ? 1 : 32;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      all.add(pool.submit(() -> {
        for (int i = 0; i < 1200 / threads; i++) {
          work.ask("x".repeat(1 + i * 97 % 9000));
          if (kind.equals("one-way")) {
            work.tell("y".repeat(1 + i * 31 % 3000));
          }
        }
      }));
    }
    for (Future<?> f : all) {
      f.get();
    }
  }
}
