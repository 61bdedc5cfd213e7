// SPDX-License-Identifier: Apache-2.0

import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** A server of MongoDB's protocol, in memory: MongoServer PORT. */
public class MongoServer {
  public static void main(String[] args) throws Exception {
    new de.bwaldvogel.mongo.MongoServer(new MemoryBackend().version(de.bwaldvogel.mongo.ServerVersion.MONGO_5_0)).bind("127.0.0.1", Integer.parseInt(args[0]));
    Thread.currentThread().join();
  }
}
