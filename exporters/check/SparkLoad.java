// SPDX-License-Identifier: Apache-2.0

import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.spark.SparkConf;
import org.apache.spark.streaming.Durations;
import org.apache.spark.streaming.api.java.JavaStreamingContext;

/** A small streaming application in one JVM: SparkLoad PORT SECONDS. It counts lines that it sends to itself. */
public class SparkLoad {
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    Thread source = new Thread(() -> send(port));
    source.setDaemon(true);
    source.start();
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("nstar-check")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.metrics.conf.*.sink.jmx.class", "org.apache.spark.metrics.sink.JmxSink");
    try (JavaStreamingContext context = new JavaStreamingContext(conf, Durations.milliseconds(500))) {
      context.socketTextStream("127.0.0.1", port).count().print();
      context.start();
      context.awaitTerminationOrTimeout(Long.parseLong(args[1]) * 1000);
    }
  }

  static void send(int port) {
    try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      PrintWriter out = new PrintWriter(server.accept().getOutputStream(), true);
      for (long i = 0; ; i++) {
        out.println("line " + i);
        Thread.sleep(2);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
