// SPDX-License-Identifier: Apache-2.0

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.InetSocketAddress;

/** A small load for a Cassandra node: CassandraLoad PORT SECONDS. It writes rows and reads them back. */
public class CassandraLoad {
  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])))
            .withLocalDatacenter("datacenter1")
            .build()) {
      session.execute("create keyspace if not exists shop with replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("create table if not exists shop.orders (id int primary key, text text)");
      var write = session.prepare("insert into shop.orders (id, text) values (?, ?)");
      var read = session.prepare("select text from shop.orders where id = ?");
      for (int i = 0; System.nanoTime() < end; i++) {
        session.execute(write.bind(i % 1000, "x".repeat(100)));
        session.execute(read.bind(i % 1000)).one();
        Thread.sleep(5);
      }
    }
  }
}
