package dev.wisent.cluster.router.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.crud.DeleteCommand;
import dev.wisent.server.command.crud.FindAndModifyCommand;
import dev.wisent.server.command.crud.InsertCommand;
import dev.wisent.server.command.crud.UpdateCommand;
import dev.wisent.server.dispatch.ErrorReply;
import dev.wisent.server.metrics.DocumentCounts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes do the same on one node and on three shards. */
class SameWritesTest {
  private static final Namespace REFERENCE = new Namespace("reference", "c");
  private static final List<String> SHARDS = List.of("a", "b", "c");
  private static final long SEED = Long.getLong("wisent.seed", 1);

  @TempDir private static Path directory;
  private static RealShards shards;
  private static Map<String, Command> commands;

  @BeforeAll
  static void start() {
    shards = new RealShards(directory, "a", "b", "c");
    ShardedWrites writes = shards.writes();
    var counts = new DocumentCounts();
    Operations operations = operations(writes);
    commands =
        Map.of(
            "insert", new InsertCommand(operations, counts),
            "update", new UpdateCommand(operations, counts),
            "delete", new DeleteCommand(operations, counts),
            "findAndModify", new FindAndModifyCommand(operations, counts));
  }

  @AfterAll
  static void stop() {
    shards.close();
  }

  /** The writes of a router. */
  static Operations operations(WriteRouting writes) {
    return (Operations)
        Proxy.newProxyInstance(
            SameWritesTest.class.getClassLoader(),
            new Class<?>[] {Operations.class},
            (proxy, method, arguments) -> {
              try {
                return WriteRouting.class
                    .getMethod(method.getName(), method.getParameterTypes())
                    .invoke(writes, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static RawDocument routed(RawDocument command, RetryableWrite write) {
    var full = new BsonBuilder().appendAll(command).appendString("$db", "db").toDocument();
    CommandRequest request = CommandRequest.of(full, List.of(), false);
    request.readGenericArguments();
    OperationContext operation = OperationContext.internal(Clock.system());
    operation.retryableWrite(write);
    var context = new CommandContext(null, operation);
    var reply = new BsonBuilder();
    try {
      commands.get(request.name()).run(request, context, reply);
      return reply.appendDouble("ok", 1).toDocument();
    } catch (CommandException e) {
      var error = new BsonBuilder();
      ErrorReply.append(error, e);
      return error.toDocument();
    }
  }

  private static void empty() {
    for (String shard : SHARDS) {
      for (String database : List.of("db", "reference")) {
        shards.run(shard, database, RawDocument.parse("{drop: 'c'}"), List.of());
      }
    }
  }

  /** What clients look at. Messages may name what lies on a shard. */
  private static List<String> essence(RawDocument reply) {
    var lines = new ArrayList<String>();
    ElementCursor fields = reply.elements();
    while (fields.next()) {
      String name = fields.name();
      switch (name) {
        case "n", "nModified", "ok", "code", "upserted", "value", "lastErrorObject" ->
            lines.add(name + " " + fields.value());
        case "writeErrors" -> {
          ElementCursor each = fields.value().elements();
          while (each.next()) {
            RawDocument error = each.value().asDocument();
            lines.add("error " + error.get("index") + " " + error.get("code"));
          }
        }
        default -> {}
      }
    }
    lines.sort(Comparator.naturalOrder());
    return lines;
  }

  private static List<String> contents(List<RawDocument> documents) {
    return documents.stream().map(RawDocument::toJson).sorted().toList();
  }

  private static List<RawDocument> spread() {
    var documents = new ArrayList<RawDocument>();
    SHARDS.forEach(shard -> documents.addAll(shards.all(shard, FakeShards.SHARDED)));
    return documents;
  }

  private static Object[] chunks(List<?> bounds) {
    var all = new ArrayList<Object>();
    for (int i = 0; i <= bounds.size(); i++) {
      all.add(SHARDS.get(i % SHARDS.size()));
      if (i < bounds.size()) {
        all.add(bounds.get(i));
      }
    }
    return all.toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{k: 1}", "{k: 'hashed'}"})
  void sameResultsAndContents(String key) {
    boolean hashed = key.contains("hashed");
    for (int round = 0; round < 2; round++) {
      long seed = SEED * 100 + round;
      var random = new RandomWrites(seed);
      List<?> bounds = hashed ? List.of("NumberLong(-3000000000000000000)", 0) : random.bounds();
      shards.route(FakeShards.routing(key, chunks(bounds)));
      empty();
      for (int i = 0; i < 30; i++) {
        String command = random.next();
        RawDocument parsed = RawDocument.parse(command);
        RawDocument expected = shards.run("a", "reference", parsed, List.of());
        RawDocument actual = routed(parsed, null);
        assertThat(essence(actual))
            .as("seed %d, command %d: %s\n%s\n%s", seed, i, command, expected, actual)
            .isEqualTo(essence(expected));
      }
      assertThat(contents(spread()))
          .as("seed %d", seed)
          .isEqualTo(contents(shards.all("a", REFERENCE)));
    }
  }

  @Test
  void documentsAreWhereTheyBelong() {
    var random = new RandomWrites(SEED);
    shards.route(FakeShards.routing("{k: 1}", chunks(List.of(10, 20))));
    empty();
    for (int i = 0; i < 30; i++) {
      routed(RawDocument.parse(random.next()), null);
    }
    for (String shard : SHARDS) {
      for (RawDocument document : shards.all(shard, FakeShards.SHARDED)) {
        assertThat(shards.collection(FakeShards.SHARDED).table())
            .extracting(table -> table.shardOf(table.key().encodedKeyOf(document)))
            .as(document.toJson())
            .isEqualTo(shard);
      }
    }
  }

  /** Each command is sent twice under the same number, and has its effect once. */
  @Test
  void retriesChangeNothing() {
    var random = new RandomWrites(SEED);
    shards.route(FakeShards.routing("{k: 1}", chunks(List.of(5, 10, 15, 20))));
    empty();
    for (int i = 0; i < 40; i++) {
      String command = random.next();
      if (command.contains("multi: true") || command.contains("limit: 0")) {
        continue; // not retryable
      }
      RawDocument parsed = RawDocument.parse(command);
      SessionId session = SessionId.of(7, 8);
      var fields = new BsonBuilder();
      fields.appendDocument("lsid", session.document());
      fields.appendInt64("txnNumber", i + 1);
      shards.session(fields.toDocument());
      try {
        List<List<String>> attempts = new ArrayList<>();
        List<String> before = null;
        for (int attempt = 0; attempt < 2; attempt++) {
          RawDocument reply =
              routed(parsed, new RetryableWrite(session, i + 1, StatementIds.IN_ORDER));
          attempts.add(essence(reply));
          List<String> after = contents(spread());
          if (before != null) {
            assertThat(after).as("contents after the retry of %s", command).isEqualTo(before);
          }
          before = after;
        }
        if (attempts.getFirst().stream().noneMatch(line -> line.startsWith("error"))) {
          assertThat(attempts.get(1)).as(command).isEqualTo(attempts.get(0));
        }
      } finally {
        shards.session(null);
      }
    }
  }
}
