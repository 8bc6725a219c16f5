package dev.wisent.server.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.MessageHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Connections that do not log in, to a server that asks for it. */
class UnauthenticatedConnectionsTest {
  /** How many there are; 5,000 of each kind are for runs by hand. */
  private static final int CONNECTIONS = Integer.getInteger("wisent.unauthenticated", 150);

  private static final String HELLO = "{hello: 1, $db: 'admin'}";

  @RegisterExtension
  static final EmbeddedServer SERVER =
      new EmbeddedServer(
          options ->
              options.access(new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE)));

  private static RawDocument hello(int paddingBytes) {
    return new BsonBuilder()
        .appendInt32("hello", 1)
        .appendString("comment", "x".repeat(paddingBytes))
        .appendString("$db", "admin")
        .toDocument();
  }

  @Test
  void aLongMessageEndsTheConnectionBeforeItIsRead() {
    try (RawClient client = SERVER.connect()) {
      assertThat(client.run(hello(10_000)).getNumber("ok").intValue()).isEqualTo(1);
      byte[] header = new byte[MessageHeader.BYTES];
      LittleEndian.putInt32(header, 0, Limits.UNAUTHENTICATED_MESSAGE_BYTES_MAX + 1);
      client.trySend(header);
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aCompressedMessageMayNotHoldMore() {
    try (RawClient client = SERVER.connect()) {
      byte[] message = client.message(0, hello(1_000_000));
      client.trySend(CompressedMessage.wrap(message, message.length, Compressor.ZLIB));
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void manyOfThemKeepNoOtherOut() {
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        clients.add(SERVER.connect()); // silent
        RawClient stuck = SERVER.connect();
        byte[] half = new byte[100];
        LittleEndian.putInt32(half, 0, Limits.UNAUTHENTICATED_MESSAGE_BYTES_MAX);
        stuck.send(half);
        clients.add(stuck);
        RawClient monitor = SERVER.connect();
        monitor.run(HELLO);
        clients.add(monitor);
      }
      try (RawClient client = SERVER.connect()) {
        assertThat(client.run(HELLO).getNumber("ok").intValue()).isEqualTo(1);
      }
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long used = runtime.totalMemory() - runtime.freeMemory();
      assertThat(used).isLessThan(runtime.maxMemory() / 2);
    } finally {
      clients.forEach(RawClient::close);
    }
  }
}
