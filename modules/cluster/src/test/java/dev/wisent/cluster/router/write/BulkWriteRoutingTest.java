package dev.wisent.cluster.router.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.server.command.CollectionUuids;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.crud.BulkWriteCommand;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.metrics.ServerMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A bulkWrite of sharded and other collections. */
class BulkWriteRoutingTest {
  private final FakeShards shards = new FakeShards();
  private final OperationContext operation = OperationContext.internal(Clock.system());

  private RawDocument run(String options, String... ops) {
    RawDocument body =
        RawDocument.parse(
            "{bulkWrite: 1, ops: ["
                + String.join(", ", ops)
                + "], nsInfo: [{ns: 'db.c'}, {ns: 'db.plain'}], $db: 'admin'"
                + options
                + "}");
    CommandRequest request = CommandRequest.of(body, List.of(), false);
    request.readGenericArguments();
    var reply = new BsonBuilder();
    new BulkWriteCommand(
            SameWritesTest.operations(shards.writes()),
            new CursorRegistry(Clock.system(), new SplittableRandom(1)),
            new ServerMetrics(),
            new CollectionUuids(null))
        .run(request, new CommandContext(null, operation), reply);
    return reply.toDocument();
  }

  private static List<String> results(RawDocument reply) {
    var lines = new ArrayList<String>();
    ElementCursor each = reply.get("cursor").asDocument().get("firstBatch").elements();
    while (each.next()) {
      RawDocument result = each.value().asDocument();
      lines.add(
          result.get("idx").asInt32()
              + (result.get("ok").isTruthy() ? " n=" + result.get("n").toLong() : " failed"));
    }
    return lines;
  }

  @Test
  void operationsGoToTheirShardsInOrder() {
    RawDocument reply =
        run(
            "",
            "{insert: 0, document: {_id: 1, k: 1}}",
            "{insert: 0, document: {_id: 2, k: 15}}",
            "{insert: 1, document: {_id: 3, k: 30}}",
            "{update: 0, filter: {k: 30}, updateMods: {$set: {x: 1}}}",
            "{delete: 0, filter: {x: 1}, multi: true}");
    assertThat(shards.sent)
        .containsExactly(
            "a: insert 1",
            "b: insert 2",
            "a: insert 3",
            "c: update {\"k\": 30}",
            "a: delete {\"x\": 1}",
            "b: delete {\"x\": 1}",
            "c: delete {\"x\": 1}");
    assertThat(results(reply)).containsExactly("0 n=1", "1 n=1", "2 n=1", "3 n=1", "4 n=3");
    assertThat(reply.get("nInserted").asInt32()).isEqualTo(3);
    assertThat(reply.get("nMatched").asInt32()).isEqualTo(1);
    assertThat(reply.get("nDeleted").asInt32()).isEqualTo(3);
  }

  @Test
  void firstErrorEndsAnOrderedOne() {
    shards.reply("b", "{n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'twice'}], ok: 1}");
    RawDocument reply =
        run(
            ", errorsOnly: true",
            "{insert: 0, document: {_id: 1, k: 1}}",
            "{insert: 0, document: {_id: 2, k: 15}}",
            "{insert: 0, document: {_id: 3, k: 1}}");
    assertThat(results(reply)).containsExactly("1 failed");
    assertThat(reply.get("nErrors").asInt32()).isEqualTo(1);
    assertThat(reply.get("nInserted").asInt32()).isEqualTo(1);
    assertThat(shards.sent).hasSize(2);
  }

  @Test
  void unorderedOneGoesOn() {
    shards.reply("b", "{n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'twice'}], ok: 1}");
    RawDocument reply =
        run(
            ", ordered: false",
            "{insert: 0, document: {_id: 2, k: 15}}",
            "{insert: 0, document: {_id: 1, k: 1}}",
            "{delete: 1, filter: {_id: 3}}");
    assertThat(results(reply)).containsExactly("0 failed", "1 n=1", "2 n=1");
  }

  @Test
  void whereOnlyErrorsAreToldOperationsOfOneKindGoTogether() {
    shards.reply(
        "b",
        "{n: 1, nModified: 1, writeErrors: [{index: 1, code: 11000, errmsg: 'twice'}], ok: 1}");
    RawDocument reply =
        run(
            ", ordered: false, errorsOnly: true",
            "{update: 0, filter: {k: 1}, updateMods: {$set: {x: 1}}}",
            "{update: 0, filter: {k: 15}, updateMods: {$set: {x: 1}}}",
            "{update: 0, filter: {k: 2}, updateMods: {$set: {x: 1}}}",
            "{update: 0, filter: {k: 16}, updateMods: {$set: {y: 1}}}",
            "{update: 0, filter: {k: 3}, updateMods: {$set: {x: 1}}, multi: true}",
            "{delete: 0, filter: {k: 1}}",
            "{delete: 0, filter: {k: 2}}",
            "{delete: 1, filter: {k: 2}}");
    assertThat(shards.sent)
        .containsExactly(
            "a: update {\"k\": 1} {\"k\": 2}",
            "b: update {\"k\": 15} {\"k\": 16}",
            "a: update {\"k\": 3}",
            "a: delete {\"k\": 1} {\"k\": 2}",
            "a: delete {\"k\": 2}");
    assertThat(results(reply)).containsExactly("3 failed");
    assertThat(reply.get("nErrors").asInt32()).isEqualTo(1);
    assertThat(reply.get("nMatched").asInt32()).isEqualTo(4);
    assertThat(reply.get("nModified").asInt32()).isEqualTo(4);
    assertThat(reply.get("nDeleted").asInt32()).isEqualTo(3);
  }

  @Test
  void anErrorInAnOrderedGroupEndsIt() {
    shards.reply(
        "a",
        "{n: 1, nModified: 1, writeErrors: [{index: 1, code: 11000, errmsg: 'twice'}], ok: 1}");
    RawDocument reply =
        run(
            ", errorsOnly: true",
            "{update: 0, filter: {k: 1}, updateMods: {$set: {x: 1}}}",
            "{update: 0, filter: {k: 2}, updateMods: {$set: {x: 1}}}",
            "{update: 0, filter: {k: 15}, updateMods: {$set: {x: 1}}}",
            "{delete: 0, filter: {k: 1}}");
    assertThat(shards.sent).containsExactly("a: update {\"k\": 1} {\"k\": 2}");
    assertThat(results(reply)).containsExactly("1 failed");
    assertThat(reply.get("nMatched").asInt32()).isEqualTo(1);
  }

  @Test
  void operationsKeepTheirNumbers() {
    operation.retryableWrite(
        new RetryableWrite(SessionId.of(1, 2), 5, StatementIds.of(new int[] {7, 3, 9})));
    run(
        "",
        "{insert: 0, document: {_id: 1, k: 1}}",
        "{insert: 0, document: {_id: 2, k: 15}}",
        "{update: 0, filter: {k: 30}, updateMods: {$set: {x: 1}}}");
    assertThat(
            shards.commands.stream()
                .map(command -> command.get("stmtIds").asDocument().get("0").asInt32())
                .toList())
        .containsExactly(7, 3, 9);
  }
}
