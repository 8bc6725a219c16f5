package dev.wisent.cluster.router.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.wire.DocumentSequence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes that pass through a router as bytes, and what is made of the errors in their replies. */
class OneShardWritesTest {
  private static final CollectionRouting ROUTING =
      FakeShards.routing("{k: 1}", "a", 10, "b", 20, "c");

  private static String shardOf(String fields, List<DocumentSequence> sequences) {
    RawDocument command = RawDocument.parse("{" + fields + ", $db: 'db'}");
    var request = CommandRequest.of(command, sequences, false);
    request.readGenericArguments();
    return OneShardWrites.shardOf(request.name(), request, ROUTING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "insert: 'c', documents: [{_id: 1, k: 15}, {_id: 2, k: 16}] | b",
        "insert: 'c', documents: [{_id: 1, k: 15}, {_id: 2, k: 25}] | -",
        "insert: 'c', documents: [{_id: 1, k: 15}, {k: 16}] | -",
        "insert: 'c', documents: [{_id: 1, k: [15]}] | -",
        "insert: 'c', documents: [] | -",
        "insert: 'c', documents: 7 | -",
        "insert: 'c', documents: [7] | -",
        "insert: 'c', documents: [{_id: 1}] | a",
        "insert: 'c', documents: [{_id: 1, k: 1}], writeConcern: {w: 0} | -",
        "insert: 'c', documents: [{_id: 1, k: 1}], writeConcern: {w: 1} | a",
        "update: 'c', updates: [{q: {k: 5}, u: {$set: {x: 1}}}] | a",
        "update: 'c', updates: [{q: {k: 5}, u: {$set: {k: 15}}}] | a",
        "update: 'c', updates: [{q: {k: 5, x: {$gt: 3}}, u: [{$set: {x: 1}}], multi: true}] | a",
        "update: 'c', updates: [{q: {k: {$gt: 5}}, u: {$set: {x: 1}}}] | -",
        "update: 'c', updates: [{q: {x: 5}, u: {$set: {x: 1}}}] | -",
        "update: 'c', updates: [{q: {k: 5}, u: {$set: {x: 1}}}, {q: {k: 15}, u: {x: 1}}] | -",
        "update: 'c', updates: [{q: {k: 5}, u: {$set: {x: 1}}, upsert: true}] | a",
        "update: 'c', updates: [{q: {k: 5}, u: {$set: {k: 15}}, upsert: true}] | -",
        "update: 'c', updates: [{q: {k: 5}, u: {k: 15}, upsert: true}] | -",
        "update: 'c', updates: [{q: {k: 5}, u: {x: 1}, collation: {locale: 'de'}}] | -",
        "delete: 'c', deletes: [{q: {k: 5}, limit: 1}, {q: {k: 6}, limit: 0}] | a",
        "delete: 'c', deletes: [{q: {}, limit: 0}] | -",
        "findAndModify: 'c', query: {k: 25}, remove: true | c",
        "findAndModify: 'c', query: {k: 25}, update: {$inc: {x: 1}}, new: true | c",
        "findAndModify: 'c', query: {k: 25}, update: {$inc: {k: 1}} | -",
        "findAndModify: 'c', query: {x: 25}, remove: true | -",
        "find: 'c', filter: {k: 1} | -",
      })
  void theShardOfAWholeCommand(String fields, String shard) {
    assertThat(shardOf(fields, List.of())).isEqualTo(shard);
  }

  @Test
  void theStatementsMayStandBesideTheCommand() {
    var documents = new ArrayList<RawDocument>();
    documents.add(RawDocument.parse("{_id: 1, k: 15}"));
    var beside = List.of(new DocumentSequence("documents", documents));
    assertThat(shardOf("insert: 'c'", beside)).isEqualTo("b");
    documents.add(RawDocument.parse("{_id: 1, k: 25}"));
    assertThat(shardOf("insert: 'c'", List.of(new DocumentSequence("documents", documents))))
        .isNull();
  }

  private final FakeShards shards = new FakeShards();
  private final OperationContext operation = OperationContext.internal(Clock.system());

  /** Inserts documents of shard b, whose reply to all of them is given. */
  private WriteOutcome insertAfter(boolean ordered, RawDocument reply, CommandException error) {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < 4; i++) {
      documents.add(RawDocument.parse("{_id: " + i + ", k: " + (15 + i) + "}"));
    }
    CommandRequest request =
        CommandRequest.of(RawDocument.parse("{insert: 'c', $db: 'db'}"), List.of(), false);
    request.readGenericArguments();
    RoutedOperation routed = RoutedOperation.attach(operation, request);
    ShardRequest sent = ShardRequest.write("b", "db", RawDocument.EMPTY, List.of());
    routed.forwarded(new ShardReply(sent, null, reply, error));
    return shards
        .writes()
        .insert(operation, new InsertRequest(FakeShards.SHARDED, documents, ordered, false));
  }

  private static final String STALE =
      "code: 13388, errmsg: 'stale', ns: 'db.c', vReceived: {}, shardId: 'b'";

  @Test
  void anOrderedBatchResumesAtItsStaleStatement() {
    RawDocument reply =
        RawDocument.parse("{ok: 1, n: 2, writeErrors: [{index: 2, " + STALE + "}]}");
    shards.refreshedTo(FakeShards.routing("{k: 1}", "a", 10, "b", 18, "c"));
    WriteOutcome outcome = insertAfter(true, reply, null);
    assertThat(shards.sent).containsExactly("b: insert 2", "c: insert 3");
    assertThat(outcome.matched()).isEqualTo(4);
    assertThat(outcome.failures()).isEmpty();
  }

  @Test
  void anUnorderedBatchRepeatsItsStaleStatementsOnly() {
    RawDocument reply =
        RawDocument.parse(
            "{ok: 1, n: 2, writeErrors: [{index: 1, "
                + STALE
                + "}, {index: 3, code: 11000, errmsg: 'twice'}]}");
    WriteOutcome outcome = insertAfter(false, reply, null);
    assertThat(shards.sent).containsExactly("b: insert 1");
    assertThat(outcome.matched()).isEqualTo(3);
    assertThat(outcome.failures()).extracting(WriteOutcome.Failure::index).containsExactly(3);
  }

  @Test
  void anErrorOfTheWholeCommandIsTheOneOfItsStatements() {
    var error = new CommandException(ErrorCode.HOST_UNREACHABLE, "gone");
    WriteOutcome outcome = insertAfter(false, null, error);
    assertThat(shards.sent).isEmpty();
    assertThat(outcome.failures()).hasSize(4);
  }
}
