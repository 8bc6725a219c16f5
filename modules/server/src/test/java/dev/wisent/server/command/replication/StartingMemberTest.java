package dev.wisent.server.command.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.log.LogSink;
import dev.wisent.base.log.ServerLog;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.server.node.WisentServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a member says that comes back after a crash, before and after it has what it had. */
@Execution(ExecutionMode.CONCURRENT)
class StartingMemberTest {
  private static final int DOCUMENTS = 300;
  private static final String COUNT =
      "{count: 'c', $db: 'test', $readPreference: {mode: 'secondaryPreferred'}}";

  @TempDir Path directory;

  private static WisentServer start(Path data, int port, LogSink log) {
    try {
      return WisentServer.start(
          ServerOptions.builder(data).port(port).replicaSet("rs").build(),
          new ServerLog(log, Clock.system()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static int code(BsonDocument reply) {
    return reply.containsKey("code") ? reply.getInt32("code").getValue() : 0;
  }

  @Test
  void aMemberRefusesReadsUntilItHasWhatItHad() throws Exception {
    int port = freePort();
    Path crashed = directory.resolve("crashed");
    crash(port, crashed);
    var replayed = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    CompletableFuture<WisentServer> starting =
        CompletableFuture.supplyAsync(
            () ->
                start(
                    crashed,
                    port,
                    line -> {
                      if (line.contains("Applied the log again")) {
                        replayed.countDown();
                        await(goOn);
                      }
                    }));
    try {
      await(replayed);
      try (RawClient client = new RawClient(port)) {
        checkStarting(client);
        goOn.countDown();
        Eventually.await(
            "it leads",
            () ->
                client.run("{hello: 1, $db: 'admin'}").getBoolean("isWritablePrimary").getValue());
        assertThat(client.run(COUNT).getNumber("n").intValue()).isEqualTo(DOCUMENTS);
      }
    } finally {
      goOn.countDown();
      starting.get(60, TimeUnit.SECONDS).close();
    }
  }

  private static void checkStarting(RawClient client) {
    BsonDocument hello = client.run("{hello: 1, $db: 'admin'}");
    assertThat(hello.getBoolean("secondary").getValue()).isFalse();
    assertThat(hello.getBoolean("isWritablePrimary").getValue()).isFalse();
    assertThat(code(client.run("{isMaster: 1, $db: 'admin'}"))).isZero();
    assertThat(code(client.run("{serverStatus: 1, $db: 'admin'}"))).isZero();
    assertThat(code(client.run("{replSetGetConfig: 1, $db: 'admin'}"))).isZero();
    BsonDocument status = client.run("{replSetGetStatus: 1, $db: 'admin'}");
    assertThat(status.getInt32("myState").getValue()).isIn(0, 3, 5);
    for (String read :
        List.of(
            COUNT,
            "{find: 'c', $db: 'test', $readPreference: {mode: 'secondary'}}",
            "{find: 'c', $db: 'test', readConcern: {level: 'majority'},"
                + " $readPreference: {mode: 'nearest'}}",
            "{aggregate: 'c', pipeline: [], cursor: {}, $db: 'test',"
                + " $readPreference: {mode: 'nearest'}}",
            "{listCollections: 1, $db: 'test', $readPreference: {mode: 'nearest'}}",
            "{listDatabases: 1, $db: 'admin', $readPreference: {mode: 'nearest'}}")) {
      assertThat(code(client.run(read))).as(read).isEqualTo(13436);
    }
    assertThat(code(client.run("{find: 'c', $db: 'test'}"))).isEqualTo(13435);
    for (String write :
        List.of(
            "{insert: 'c', documents: [{}], $db: 'test'}",
            "{replSetStepDown: 1, $db: 'admin'}",
            "{find: 'c', $db: 'test', readConcern: {level: 'linearizable'}}")) {
      assertThat(code(client.run(write))).as(write).isIn(10107, 13435);
    }
    assertThat(code(client.run("{replSetStepUp: 1, $db: 'admin'}"))).isEqualTo(125);
    assertThat(code(client.run("{replSetFreeze: 0, $db: 'admin'}"))).isZero();
    assertThat(code(client.run("{replSetInitiate: {}, $db: 'admin'}"))).isEqualTo(23);
  }

  /** Leaves what a server leaves that is killed after it has acknowledged everything. */
  private void crash(int port, Path crashed) throws IOException {
    Path data = directory.resolve("data");
    try (WisentServer server = start(data, port, line -> {});
        RawClient client = new RawClient(server.port())) {
      assertThat(code(client.run("{replSetInitiate: {}, $db: 'admin'}"))).isZero();
      Eventually.await(
          "it leads",
          () -> client.run("{hello: 1, $db: 'admin'}").getBoolean("isWritablePrimary").getValue());
      for (int i = 0; i < DOCUMENTS; i++) {
        client.run(
            "{insert: 'c', documents: [{_id: " + i + "}], $db: 'test', writeConcern: {w: 1}}");
      }
      copy(data, crashed);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(from)) {
      files = all.toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
