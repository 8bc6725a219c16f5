package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.base.Clock;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Goal: no exception ends a loop that the server needs. Method: each loop that {@code serverStatus}
 * lists throws once, and has to take further turns and to serve clients as before.
 */
@Execution(ExecutionMode.CONCURRENT)
class BackgroundLoopsTest {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Their next turn is not waited for: they have shown that they are there. */
  private static final List<String> EVERY_MINUTE = List.of("idle-sessions", "wisent-log-keeper");

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfAStandalone {
    @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

    @Test
    void goOnAfterAnException() {
      List<String> loops = throwFromEach(SERVER);
      assertThat(loops)
          .contains(
              "wisent-journal",
              "TTLMonitor",
              "idle-cursors",
              "idle-sessions",
              "conn-idle-selector",
              "conn-disconnect-watch",
              "listener",
              "script-watch");
    }

    @Test
    void aLoopThatIsNotThereCannotFail() {
      BsonDocument error =
          SERVER.fail(
              "admin",
              "{configureFailPoint: 'failBackgroundLoop', mode: {times: 1}, data: {loop: 'no'}}");
      assertThat(error.getString("errmsg").getValue()).contains("no background loop");
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfAMember {
    @RegisterExtension
    static final EmbeddedServer SERVER = new EmbeddedServer(options -> options.replicaSet("rs"));

    @Test
    void goOnAfterAnException() {
      SERVER.admin(
          "{replSetInitiate: {_id: 'rs', members: [{_id: 0, host: '%s'}]}}"
              .formatted("127.0.0.1:" + SERVER.server().port()));
      await(
          () ->
              SERVER.admin("{hello: 1}").getBoolean("isWritablePrimary").getValue()
                  ? List.of()
                  : List.of("the first election"));
      List<String> loops = throwFromEach(SERVER);
      assertThat(loops)
          .contains(
              "wisent-proposer",
              "wisent-raft-watch",
              "wisent-log-keeper",
              "replica-set-tick",
              "replica-set-position",
              "oplog-maintenance",
              "TTLMonitor");
    }
  }

  private static List<String> throwFromEach(EmbeddedServer server) {
    server.admin("{setParameter: 1, ttlMonitorSleepSecs: 1}");
    work(server);
    List<String> loops = new ArrayList<>(loops(server).keySet());
    BsonDocument before = loops(server);
    for (String loop : loops) {
      server.admin(
          "{configureFailPoint: 'failBackgroundLoop', mode: {times: 1}, data: {loop: '%s'}}"
              .formatted(loop));
    }
    awaitMore(server, loops, "failures", before);
    for (String loop : loops) {
      assertThat(loops(server).getDocument(loop).getString("lastError").getValue())
          .as(loop)
          .contains("failBackgroundLoop");
      assertThat(server.logLines("background loop failed", loop)).isNotEmpty();
    }
    loops.removeAll(EVERY_MINUTE);
    awaitMore(server, loops, "turns", loops(server));
    loops.addAll(EVERY_MINUTE);
    return loops;
  }

  private static void awaitMore(
      EmbeddedServer server, List<String> loops, String name, BsonDocument before) {
    await(
        () -> {
          work(server);
          BsonDocument now = loops(server);
          return loops.stream()
              .filter(loop -> count(now, loop, name) <= count(before, loop, name))
              .toList();
        });
  }

  /** Something for each loop to do. */
  private static void work(EmbeddedServer server) {
    MongoDatabase database = server.database("test");
    MongoCollection<BsonDocument> collection = database.getCollection("things", BsonDocument.class);
    collection.insertOne(new BsonDocument("a", new BsonInt32(1)));
    assertThat(collection.find(BsonDocument.parse("{$where: 'this.a == 1'}")).first()).isNotNull();
    try (RawClient other = server.connect()) {
      other.run("{ping: 1, $db: 'admin'}");
    }
  }

  private static BsonDocument loops(EmbeddedServer server) {
    return server.admin("{serverStatus: 1}").getDocument("backgroundLoops");
  }

  private static long count(BsonDocument loops, String loop, String name) {
    return loops.getDocument(loop).getInt64(name).getValue();
  }

  /** Waits until nothing is left to wait for. */
  private static void await(Supplier<List<String>> condition) {
    long start = Clock.system().monotonicNanos();
    List<String> left = condition.get();
    while (!left.isEmpty()) {
      assertThat(Clock.system().monotonicNanos() - start)
          .as("time for %s", left)
          .isLessThan(DEADLINE_NANOS);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      left = condition.get();
    }
  }
}
