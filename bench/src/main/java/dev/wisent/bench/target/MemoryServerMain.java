package dev.wisent.bench.target;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;

/** Runs mongo-java-server with its memory backend in a JVM of its own. */
public final class MemoryServerMain {
  private MemoryServerMain() {}

  /** Arguments: the port. Ends when its input ends, that is when the benchmark is gone. */
  public static void main(String[] args) throws IOException {
    MongoServer server = new MongoServer(new MemoryBackend());
    server.bind("127.0.0.1", Integer.parseInt(args[0]));
    while (System.in.read() >= 0) {
      // Nothing is said on this pipe; only its end counts.
    }
    server.shutdownNow();
    System.exit(0);
  }
}
