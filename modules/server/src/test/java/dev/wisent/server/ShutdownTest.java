package dev.wisent.server;

import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.Wisent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.server.harness.Replies;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShutdownTest {
  @TempDir Path directory;

  private WisentServer start() throws Exception {
    ServerOptions options =
        ServerOptions.builder(directory)
            .port(0)
            .cacheBytes(32 << 20)
            .setParameter("enableTestCommands", "1")
            .build();
    return WisentServer.start(options, ServerLog.silent());
  }

  private static boolean isClosed(WisentServer server) {
    var closed = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                server.awaitClosed();
                closed.complete(null);
              } catch (InterruptedException e) {
                closed.completeExceptionally(e);
              }
            });
    return closed.completeOnTimeout(null, 20, TimeUnit.SECONDS).thenApply(x -> true).join();
  }

  @Test
  void commandEndsTheServerAndTheDataStays() throws Exception {
    WisentServer server = start();
    int port = server.port();
    try (RawClient client = new RawClient(port)) {
      assertOk(client.run("{insert: 'c', documents: [{_id: 1}], $db: 'test'}"));
      client.send(client.message(0, RawDocument.parse("{shutdown: 1, force: true, $db: 'admin'}")));
    }
    assertThat(isClosed(server)).isTrue();
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
    long start = System.nanoTime();
    server.close();
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(9));
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
      long start = System.nanoTime();
      server.close();
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(9));
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
    assertThat(isClosed(server)).isTrue();
  }

  @Test
  void embeddedServerLeavesNothingBehind() {
    Wisent wisent = Wisent.start();
    try (RawClient client = new RawClient(wisent.port())) {
      assertOk(client.run("{ping: 1, $db: 'admin'}"));
    }
    wisent.close();
    assertThatThrownBy(() -> new RawClient(wisent.port())).isInstanceOf(UncheckedIOException.class);
  }
}
