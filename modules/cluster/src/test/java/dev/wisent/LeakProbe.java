package dev.wisent;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * Starts, uses and closes servers many times in a JVM of its own, and prints what there is more of
 * at the end than after the first times. Arguments: node, set or cluster, and how many times.
 */
final class LeakProbe {
  static final String NOTHING = "nothing is left";

  /** Pools of libraries grow to their size in the first starts. */
  private static final int WARM_UP = 3;

  private static final long DEADLINE_SECONDS = 90;
  private static final long POLL_MILLIS = 250;

  private LeakProbe() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    startPollers();
    for (int i = 0; i < WARM_UP; i++) {
      use(args[0]);
    }
    Map<String, Long> before = settled();
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      use(args[0]);
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    Map<String, String> more = more(before);
    while (!more.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      more = more(before);
    }
    more.forEach((what, counts) -> System.out.println(what + ": " + counts));
    System.out.println(more.isEmpty() ? NOTHING : "something is left");
  }

  /**
   * The JDK opens the files behind sockets of virtual threads when the first one has to wait, and
   * keeps them. Whether one does while servers warm up depends on the machine.
   */
  private static void startPollers() throws IOException, InterruptedException {
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread waiting = Thread.ofVirtual().start(() -> accept(server));
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      new Socket(server.getInetAddress(), server.getLocalPort()).close();
      waiting.join();
    }
  }

  private static void accept(ServerSocket server) {
    try {
      server.accept().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void use(String kind) {
    try (Wisent wisent = start(kind);
        MongoClient client = MongoClients.create(wisent.uri())) {
      client.getDatabase("test").getCollection("notes").insertOne(new Document("a", "b"));
      wisent.reset();
    }
  }

  private static Wisent start(String kind) {
    return switch (kind) {
      case "node" -> Wisent.start();
      case "set" -> Wisent.replicaSet(3);
      case "cluster" -> Wisent.cluster(2);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** Threads of a closed server may need a moment to end. */
  private static Map<String, Long> settled() throws IOException {
    Map<String, Long> last = counts();
    int same = 0;
    for (int i = 0; i < 40 && same < 8; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
      Map<String, Long> now = counts();
      same = now.equals(last) ? same + 1 : 0;
      last = now;
    }
    return last;
  }

  private static Map<String, String> more(Map<String, Long> before) throws IOException {
    Map<String, String> more = new TreeMap<>();
    counts()
        .forEach(
            (what, count) -> {
              long old = before.getOrDefault(what, 0L);
              if (count > old) {
                more.put(what, old + " before, " + count + " now");
              }
            });
    return more;
  }

  private static Map<String, Long> counts() throws IOException {
    System.gc();
    Map<String, Long> counts = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      // Carriers of virtual threads come and go as they are needed.
      if (!thread.getName().startsWith("ForkJoinPool")) {
        counts.merge("thread " + withoutNumbers(thread.getName()), 1L, Long::sum);
      }
    }
    countDescriptors(counts);
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      files.forEach(file -> counts.merge("temporary file " + file, 1L, Long::sum));
    }
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      counts.put("bytes of buffers, " + pool.getName(), pool.getMemoryUsed());
    }
    return counts;
  }

  private static void countDescriptors(Map<String, Long> counts) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : descriptors.toList()) {
        if (Files.isSymbolicLink(descriptor)) {
          String target = Files.readSymbolicLink(descriptor).toString();
          // Class loaders open jars when they first need them.
          if (!target.endsWith(".jar")) {
            counts.merge("descriptor of " + withoutNumbers(target), 1L, Long::sum);
          }
        }
      }
    }
  }

  private static String withoutNumbers(String name) {
    return name.replaceAll("[0-9a-f]{8,}|[0-9]+", "#");
  }
}
