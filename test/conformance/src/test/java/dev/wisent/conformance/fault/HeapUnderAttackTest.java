package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that want more memory than a server with a small heap has, which ends at the first
 * OutOfMemoryError. All the while a connection that looks after the node is served.
 */
@Tag("faults")
class HeapUnderAttackTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int LARGE_BYTES = 47_000_000;

  @TempDir Path directory;
  private ServerProcess server;
  private final List<Socket> sockets = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  @BeforeEach
  void start() {
    server =
        ServerProcess.start(
            ProcessOptions.in(directory)
                .withJvmFlags("-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
  }

  @AfterEach
  void stop() throws Exception {
    closeSockets();
    for (Thread thread : threads) {
      thread.join();
    }
    server.close();
  }

  private void closeSockets() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void halfSentMessages() throws Exception {
    byte[] message = insert(LARGE_BYTES);
    for (int i = 0; i < 80; i++) {
      Socket socket = connect();
      inBackground(() -> socket.getOutputStream().write(message, 0, 40_000_000));
    }
    assertServedWhile(() -> status("messageMemory", "slowClientsClosed") > 3);
    afterwards();
  }

  @Test
  void repliesThatAreNotRead() throws Exception {
    try (MongoClient client = MongoClients.create(server.uri())) {
      client
          .getDatabase("test")
          .getCollection("large")
          .insertOne(new Document("data", new byte[16_000_000]));
    }
    byte[] find =
        message(
            new BsonBuilder().appendString("find", "large").appendString("$db", "test"),
            new byte[0]);
    for (int i = 0; i < 200; i++) {
      connect().getOutputStream().write(find);
    }
    assertServedWhile(() -> status("messageMemory", "slowClientsClosed") > 20);
    afterwards();
  }

  @Test
  void largeInsertsAtOnce() throws Exception {
    assertAllAnswered(48, insert(46_000_000));
  }

  @Test
  void bombs() throws Exception {
    byte[] open = insert(LARGE_BYTES);
    byte[] bomb = CompressedMessage.wrap(open, open.length, Compressor.ZSTD);
    assertThat(bomb.length).isLessThan(1 << 20);
    assertAllAnswered(60, bomb);
  }

  @Test
  void largeFilters() throws Exception {
    try (MongoClient client = MongoClients.create(server.uri())) {
      client.getDatabase("test").getCollection("small").insertOne(new Document("_id", 1));
    }
    var find = new BsonBuilder(4_000_000).appendString("find", "small");
    find.startDocument("filter").startDocument("_id").startArray("$in");
    for (int i = 0; i < 200_000; i++) {
      find.append(i, RawValue.ofInt32(i));
    }
    find.end().end().end().appendString("$db", "test");
    byte[] message = message(find, new byte[0]);
    assertAllAnswered(30, message);
  }

  /** Each client sends the message and gets a reply; others are served meanwhile. */
  private void assertAllAnswered(int clients, byte[] message) throws Exception {
    var done = new AtomicInteger();
    for (int i = 0; i < clients; i++) {
      Socket socket = connect();
      inBackground(
          () -> {
            socket.getOutputStream().write(message);
            if (socket.getInputStream().readNBytes(16).length == 16) {
              done.incrementAndGet();
            }
          });
    }
    assertServedWhile(() -> done.get() == clients);
    afterwards();
  }

  /** A node that has survived is as good as new. */
  private void afterwards() throws Exception {
    closeSockets();
    Eventually.holds(
        "all memory is given back", PATIENCE, () -> status("messageMemory", "usedBytes") == 0);
    try (MongoClient client = MongoClients.create(server.uri())) {
      var collection = client.getDatabase("test").getCollection("after");
      collection.insertOne(new Document("data", new byte[10_000_000]));
      assertThat(collection.find().first()).isNotNull();
    }
    assertThat(server.alive()).isTrue();
  }

  private interface Work {
    void run() throws IOException;
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private void inBackground(Work work) {
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    work.run();
                  } catch (IOException closed) {
                    // By the server, which had to, or at the end of the test.
                  }
                }));
  }

  private Socket connect() throws IOException {
    var socket = new Socket(server.options().host().address(), server.options().port());
    sockets.add(socket);
    return socket;
  }

  /** Keeps one connection. */
  private NodeClient administrator() {
    return new PooledNodeClient(
        NodeClientOptions.plain("administrator").withBounds(1, 1),
        Clock.system(),
        BackgroundLoops.silent());
  }

  private long status(String section, String field) {
    try (NodeClient client = administrator()) {
      return call(client, "serverStatus").get(section).asDocument().get(field).toLong();
    }
  }

  private RawDocument call(NodeClient client, String command) {
    var host = new HostAndPort(server.options().host().address(), server.options().port());
    return client
        .call(
            host,
            NodeRequest.admin(
                out -> out.appendInt32(command, 1).appendInt32("op", 1), Duration.ofSeconds(30)))
        .join();
  }

  /** New and old connections are served until the condition holds. */
  private void assertServedWhile(Condition condition) {
    long worstMillis = 0;
    int rounds = 0;
    try (NodeClient old = administrator()) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!condition.holds()) {
        assertThat(System.nanoTime()).as("within %s", PATIENCE).isLessThan(end);
        long start = System.nanoTime();
        try (NodeClient fresh = administrator()) {
          for (NodeClient client : List.of(old, fresh)) {
            for (String command : List.of("hello", "currentOp", "killOp", "serverStatus")) {
              assertThat(call(client, command).get("ok").toLong()).as(command).isEqualTo(1);
            }
          }
        }
        worstMillis = Math.max(worstMillis, (System.nanoTime() - start) / 1_000_000);
        rounds++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(server.logTail(), e);
    }
    IO.println("eight commands, " + rounds + " rounds, the slowest in " + worstMillis + " ms");
  }

  private static byte[] insert(int bytes) {
    byte[] document =
        new BsonBuilder()
            .appendBinary("data", (byte) 0, new byte[1_000_000])
            .toDocument()
            .toByteArray();
    byte[] name = "documents\0".getBytes(StandardCharsets.US_ASCII);
    int count = bytes / document.length;
    int size = 4 + name.length + count * document.length;
    ByteBuffer sequence = ByteBuffer.allocate(1 + size).order(ByteOrder.LITTLE_ENDIAN);
    sequence.put((byte) 1).putInt(size).put(name);
    for (int i = 0; i < count; i++) {
      sequence.put(document);
    }
    return message(
        new BsonBuilder().appendString("insert", "inserted").appendString("$db", "test"),
        sequence.array());
  }

  private static byte[] message(BsonBuilder body, byte[] more) {
    byte[] command = body.toDocument().toByteArray();
    int length = MessageHeader.BYTES + 5 + command.length + more.length;
    byte[] message = new byte[length];
    MessageHeader.write(message, length, 1, 0, MessageHeader.OP_MSG);
    LittleEndian.putInt32(message, MessageHeader.BYTES, 0);
    System.arraycopy(command, 0, message, MessageHeader.BYTES + 5, command.length);
    System.arraycopy(more, 0, message, MessageHeader.BYTES + 5 + command.length, more.length);
    return message;
  }
}
