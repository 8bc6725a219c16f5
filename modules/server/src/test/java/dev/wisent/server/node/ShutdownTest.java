package dev.wisent.server.node;

import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.server.harness.Replies;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShutdownTest {
  @TempDir Path directory;
  private final List<String> logLines = new CopyOnWriteArrayList<>();

  private WisentServer start() throws Exception {
    ServerOptions options =
        ServerOptions.builder(directory)
            .port(0)
            .cacheBytes(32 << 20)
            .setParameter("enableTestCommands", "1")
            .build();
    return WisentServer.start(options, new ServerLog(logLines::add, Clock.system()));
  }

  private static void awaitClosed(WisentServer server) throws InterruptedException {
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    server.awaitClosed();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    assertThat(waiting.join(Duration.ofSeconds(Eventually.DEADLINE_SECONDS))).isTrue();
  }

  /** Closes, which waits for what goes on, but gives it up after a while and says so. */
  private void closeWithoutGivingUp(WisentServer server) {
    server.close();
    assertThat(logLines).noneMatch(line -> line.contains("Connections still busy at shutdown"));
  }

  @Test
  void commandEndsTheServerAndTheDataStays() throws Exception {
    WisentServer server = start();
    int port = server.port();
    try (RawClient client = new RawClient(port)) {
      assertOk(client.run("{insert: 'c', documents: [{_id: 1}], $db: 'test'}"));
      client.send(client.message(0, RawDocument.parse("{shutdown: 1, force: true, $db: 'admin'}")));
    }
    awaitClosed(server);
    assertThatThrownBy(() -> new RawClient(port)).isInstanceOf(UncheckedIOException.class);
    try (WisentServer again = start();
        RawClient client = new RawClient(again.port())) {
      assertThat(client.run("{count: 'c', $db: 'test'}").getInt32("n").getValue()).isEqualTo(1);
    }
  }

  @Test
  void runningOperationsAreInterrupted() throws Exception {
    WisentServer server = start();
    RawClient admin = new RawClient(server.port());
    admin.run(
        "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {failCommands: ['find'],"
            + " blockConnection: true, blockTimeMS: 60000}, $db: 'admin'}");
    RawClient client = new RawClient(server.port());
    CompletableFuture<BsonDocument> running =
        CompletableFuture.supplyAsync(() -> client.run("{find: 'c', $db: 'test'}"));
    Eventually.await(
        "it runs",
        () -> !admin.run("{currentOp: 1, op: 'query', $db: 'admin'}").getArray("inprog").isEmpty());
    closeWithoutGivingUp(server);
    BsonDocument reply = running.handle((done, failed) -> done).join();
    if (reply != null) { // the reply may also be lost with its connection
      assertThat(reply.getInt32("code").getValue()).isEqualTo(11600);
    }
    admin.close();
    client.close();
  }

  @Test
  void monitorsAreToldAndLetGo() throws Exception {
    WisentServer server = start();
    try (RawClient client = new RawClient(server.port())) {
      String version =
          Replies.json(client.run("{hello: 1, $db: 'admin'}").getDocument("topologyVersion"));
      CompletableFuture<BsonDocument> waiting =
          CompletableFuture.supplyAsync(
              () ->
                  client.run(
                      "{hello: 1, topologyVersion: "
                          + version
                          + ", maxAwaitTimeMS: 60000, $db: 'admin'}"));
      closeWithoutGivingUp(server);
      BsonDocument reply = waiting.handle((done, failed) -> done).join();
      if (reply != null) {
        assertThat(reply.getInt32("code").getValue()).isIn(91, 11600);
      }
    }
  }

  @Test
  void closingTwiceIsHarmless() throws Exception {
    WisentServer server = start();
    server.close();
    server.close();
    awaitClosed(server);
  }
}
