package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import dev.wisent.server.harness.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operations that take long: how they are seen, ended and limited. */
class RunningOperationsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeAll
  static void fill() {
    for (int batch = 0; batch < 5; batch++) {
      var documents = new ArrayList<BsonDocument>();
      for (int i = 0; i < 10_000; i++) {
        var document = new BsonDocument("_id", new BsonInt32(batch * 10_000 + i));
        document.put("n", new BsonInt32(i));
        documents.add(document);
      }
      SERVER.database("test").getCollection("big", BsonDocument.class).insertMany(documents);
    }
  }

  private static CompletableFuture<BsonDocument> start(String command) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (RawClient client = SERVER.connect()) {
            return client.run("{" + command + ", $db: 'test'}");
          }
        });
  }

  private static List<BsonDocument> running(String filter) {
    return SERVER.admin("{currentOp: 1, " + filter + "}").getArray("inprog").stream()
        .map(BsonValue::asDocument)
        .toList();
  }

  /** A command that runs until it is ended: a fail point holds it. */
  private static CompletableFuture<BsonDocument> startBlocked(String name, String comment) {
    SERVER.admin(
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['"
            + name
            + "'], blockConnection: true, blockTimeMS: 60000}}");
    var started = start(name + ": 'big', comment: '" + comment + "'");
    Eventually.await("it runs", () -> !running("'command.comment': '" + comment + "'").isEmpty());
    return started;
  }

  @Test
  void currentOpShowsTheCommand() {
    var blocked = startBlocked("find", "shown");
    BsonDocument operation = running("'command.comment': 'shown'").getFirst();
    assertThat(operation.getString("op").getValue()).isEqualTo("query");
    assertThat(operation.getString("ns").getValue()).isEqualTo("test.big");
    assertThat(operation.getBoolean("active").getValue()).isTrue();
    assertThat(operation.getString("type").getValue()).isEqualTo("op");
    assertThat(operation.getString("client").getValue()).startsWith("127.0.0.1:");
    assertThat(operation.getString("desc").getValue()).startsWith("conn");
    assertThat(operation)
        .containsKeys(
            "opid",
            "secs_running",
            "microsecs_running",
            "connectionId",
            "host",
            "waitingForLock",
            "locks",
            "numYields");
    BsonDocument stage =
        SERVER.admin(
            "{aggregate: 1, pipeline: [{$currentOp: {}}, {$match: {'command.comment': 'shown'}}],"
                + " cursor: {}}");
    assertThat(Replies.batch(stage)).hasSize(1);
    SERVER.admin("{killOp: 1, op: " + operation.getInt32("opid").getValue() + "}");
    blocked.join();
  }

  @Test
  void killOp() {
    var blocked = startBlocked("count", "killed");
    int id = running("'command.comment': 'killed'").getFirst().getInt32("opid").getValue();
    assertThat(SERVER.admin("{killOp: 1, op: " + id + "}").getString("info").getValue())
        .isEqualTo("attempting to kill op");
    assertError(blocked.join(), 11601, "operation was interrupted");
    Eventually.await("it is gone", () -> running("opid: " + id).isEmpty());
  }

  @Test
  void killOpOfNothing() {
    assertOk(SERVER.admin("{killOp: 1, op: 999999}"));
    assertCode(SERVER.fail("admin", "{killOp: 1, op: 'x'}"), 14);
  }

  @Test
  void scanIsKilled() {
    var scan = start("find: 'big', filter: {$expr: " + VERY_SLOW + "}, comment: 'scan'");
    Eventually.await(
        "it ends or is killed",
        () -> {
          running("'command.comment': 'scan'")
              .forEach(
                  op -> SERVER.admin("{killOp: 1, op: " + op.getInt32("opid").getValue() + "}"));
          return scan.isDone();
        });
    assertCode(scan.join(), 11601);
  }

  /** False for every document, after work that makes a scan last for hours on any machine. */
  private static final String VERY_SLOW =
      "{$lt: [{$reduce: {input: {$range: [0, 1000000]}, initialValue: 0,"
          + " in: {$add: ['$$value', '$n', '$$this']}}}, 0]}";

  @Test
  void timeLimitOfAScan() {
    for (String command :
        new String[] {
          "find: 'big', filter: {$expr: " + VERY_SLOW + "}",
          "count: 'big', query: {$expr: " + VERY_SLOW + "}",
          "distinct: 'big', key: 'n', query: {$expr: " + VERY_SLOW + "}",
          "aggregate: 'big', cursor: {}, pipeline: [{$match: {$expr: " + VERY_SLOW + "}}]",
          "update: 'big', updates: [{q: {$expr: "
              + VERY_SLOW
              + "}, u: {$set: {y: 1}}, multi: true}]",
        }) {
      BsonDocument reply = start(command + ", maxTimeMS: 20").join();
      assertError(reply, 50, doing(command) + "operation exceeded time limit");
    }
  }

  /** What MongoDB says a command was at when reading its first batch failed. */
  private static String doing(String command) {
    return switch (command.substring(0, command.indexOf(':'))) {
      case "find" -> "Executor error during find command: test.big :: caused by :: ";
      case "aggregate" -> "PlanExecutor error during aggregation :: caused by :: ";
      default -> "";
    };
  }

  @Test
  void operationOfAClientThatHasGoneEnds() {
    SERVER.admin(
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['distinct'],"
            + " blockConnection: true, blockTimeMS: 60000}}");
    try (RawClient client = SERVER.connect()) {
      client.send(
          client.message(
              0, RawDocument.parse("{distinct: 'big', key: 'n', comment: 'left', $db: 'test'}")));
      Eventually.await("it runs", () -> !running("'command.comment': 'left'").isEmpty());
    }
    Eventually.await("it has ended", () -> running("'command.comment': 'left'").isEmpty());
  }

  @Test
  void idleConnectionsAreShownOnRequest() {
    try (RawClient idle = SERVER.connect()) {
      String me = idle.run("{whatsmyuri: 1, $db: 'admin'}").getString("you").getValue();
      String mine = "client: '" + me + "'";
      assertThat(running(mine)).isEmpty();
      Eventually.await("it is idle", () -> isInactive(running("$all: true, " + mine)));
      assertThat(isInactive(currentOpStage("{idleConnections: true}", mine))).isTrue();
      assertThat(currentOpStage("{}", mine)).isEmpty();
    }
    assertCode(
        SERVER.fail(
            "admin", "{aggregate: 1, pipeline: [{$currentOp: {nosuch: true}}], cursor: {}}"),
        9);
  }

  private static boolean isInactive(List<BsonDocument> operations) {
    return operations.size() == 1 && !operations.getFirst().getBoolean("active").getValue();
  }

  private static List<BsonDocument> currentOpStage(String options, String filter) {
    return SERVER
        .admin(
            "{aggregate: 1, pipeline: [{$currentOp: "
                + options
                + "}, {$match: {"
                + filter
                + "}}], cursor: {}}")
        .getDocument("cursor")
        .getArray("firstBatch")
        .stream()
        .map(BsonValue::asDocument)
        .toList();
  }

  @Test
  void slowCommandsAreLogged() {
    for (int i = 0; i < 10; i++) {
      SERVER.run("{count: 'big', comment: 'not cold any more'}");
    }
    SERVER.admin(
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['count'],"
            + " blockConnection: true, blockTimeMS: 150}}");
    SERVER.run("{count: 'big', comment: 'slowly'}");
    assertThat(SERVER.logLines("Slow query", "slowly", "durationMillis")).hasSize(1);
    SERVER.run("{profile: 0, slowms: 1000000}");
    try {
      SERVER.run("{count: 'big', comment: 'quickly'}");
      assertThat(SERVER.logLines("quickly")).isEmpty();
    } finally {
      SERVER.run("{profile: 0, slowms: 100}");
    }
  }
}
