package dev.wisent.cluster.router.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a batch is split by shard, and how the replies become one outcome. */
class BatchRunTest {
  private static final String STALE =
      "code: 13388, errmsg: 'stale', ns: 'db.c', vReceived: {}, shardId: 'b'";

  private final FakeShards shards = new FakeShards();
  private final OperationContext operation = OperationContext.internal(Clock.system());

  private WriteOutcome insert(boolean ordered, int... keys) {
    var documents = new ArrayList<RawDocument>();
    for (int key : keys) {
      documents.add(RawDocument.parse("{_id: " + documents.size() + ", k: " + key + "}"));
    }
    return insert(FakeShards.SHARDED, ordered, documents);
  }

  private WriteOutcome insert(Namespace namespace, boolean ordered, List<RawDocument> documents) {
    return shards
        .writes()
        .insert(operation, new InsertRequest(namespace, documents, ordered, false));
  }

  private WriteOutcome update(boolean ordered, UpdateStatement... statements) {
    return shards
        .writes()
        .update(
            operation, new UpdateRequest(FakeShards.SHARDED, List.of(statements), ordered, false));
  }

  private static UpdateStatement updateAll(String query) {
    return statement(query, "{$set: {x: 1}}", true, false);
  }

  private static UpdateStatement statement(
      String query, String update, boolean multi, boolean upsert) {
    return new UpdateStatement(
        RawDocument.parse(query),
        RawValue.ofDocument(RawDocument.parse(update)),
        multi,
        upsert,
        List.of(),
        RawDocument.EMPTY,
        null);
  }

  private static List<Integer> failed(WriteOutcome outcome) {
    return outcome.failures().stream().map(WriteOutcome.Failure::index).toList();
  }

  private static List<Integer> codes(WriteOutcome outcome) {
    return outcome.failures().stream().map(each -> number(each.error())).toList();
  }

  private static int number(CommandException error) {
    return error instanceof RemoteErrorException remote ? remote.number() : error.code().code();
  }

  @Test
  void orderedBatchGoesInRunsOfOneShard() {
    WriteOutcome outcome = insert(true, 1, 2, 15, 3, 30, 31);
    assertThat(shards.sent)
        .containsExactly("a: insert 0 1", "b: insert 2", "a: insert 3", "c: insert 4 5");
    assertThat(outcome.matched()).isEqualTo(6);
    assertThat(outcome.failures()).isEmpty();
  }

  @Test
  void unorderedBatchGoesToAllShardsAtOnce() {
    WriteOutcome outcome = insert(false, 1, 2, 15, 3, 30, 31);
    assertThat(shards.sent).containsExactly("a: insert 0 1 3", "b: insert 2", "c: insert 4 5");
    assertThat(outcome.matched()).isEqualTo(6);
  }

  @Test
  void commandsSayHowTheyAreRouted() {
    insert(false, 1, 15);
    assertThat(shards.commands.getFirst())
        .isEqualTo(
            RawDocument.parse(
                "{insert: 'c', ordered: false, shardVersion:"
                    + " {e: ObjectId('0123456789abcdef01234567'), t: Timestamp(0, 1),"
                    + " v: Timestamp(1, 0)}}"));
    assertThat(shards.commands.getLast().get("shardVersion").asDocument().get("v").asInt64())
        .isEqualTo(3L << 32);
  }

  @Test
  void collectionThatIsNotShardedIsOnThePrimaryShard() {
    insert(FakeShards.PLAIN, true, List.of(RawDocument.parse("{_id: 7}")));
    assertThat(shards.sent).containsExactly("a: insert 7");
    RawDocument command = shards.commands.getFirst();
    assertThat(command.get("databaseVersion").asDocument().get("lastMod").asInt32()).isEqualTo(4);
    assertThat(command.get("shardVersion").asDocument().get("v").asInt64()).isZero();
  }

  @Test
  void errorsHaveTheIndexesOfTheClient() {
    shards.reply("a", "{n: 1, writeErrors: [{index: 1, code: 11000, errmsg: 'twice', x: 5}]}");
    shards.reply("c", "{n: 1, writeErrors: [{index: 0, code: 121, errmsg: 'bad'}]}");
    WriteOutcome outcome = insert(false, 1, 30, 2, 31, 15);
    assertThat(failed(outcome)).containsExactly(1, 2);
    assertThat(codes(outcome)).containsExactly(121, 11000);
    assertThat(outcome.matched()).isEqualTo(3);
    var extra = new BsonBuilder();
    ((RemoteErrorException) outcome.failures().get(1).error()).appendExtra(extra);
    assertThat(extra.toDocument()).isEqualTo(RawDocument.parse("{x: 5}"));
  }

  @Test
  void orderedBatchStopsAtTheFirstError() {
    shards.reply("b", "{n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'twice'}]}");
    WriteOutcome outcome = insert(true, 1, 15, 16, 2, 30);
    assertThat(shards.sent).containsExactly("a: insert 0", "b: insert 1 2");
    assertThat(failed(outcome)).containsExactly(1);
    assertThat(outcome.matched()).isEqualTo(1);
  }

  @Test
  void statementThatCannotBeTargetedFailsAlone() {
    List<RawDocument> documents =
        List.of(
            RawDocument.parse("{_id: 0, k: 1}"),
            RawDocument.parse("{_id: 1, k: [1]}"),
            RawDocument.parse("{_id: 2, k: 2}"));
    WriteOutcome ordered = insert(FakeShards.SHARDED, true, documents);
    assertThat(failed(ordered)).containsExactly(1);
    assertThat(codes(ordered)).containsExactly(61);
    assertThat(ordered.failures().getFirst().error())
        .hasMessage("Shard key cannot contain array values or array descendants.");
    assertThat(shards.sent).containsExactly("a: insert 0");
    shards.sent.clear();
    assertThat(failed(insert(FakeShards.SHARDED, false, documents))).containsExactly(1);
    assertThat(shards.sent).containsExactly("a: insert 0 2");
  }

  @Test
  void documentsWithoutTheKeyAreWhereNullIs() {
    insert(FakeShards.SHARDED, true, List.of(RawDocument.parse("{_id: 3}")));
    assertThat(shards.sent).containsExactly("a: insert 3");
  }

  @Test
  void documentsWithoutAnIdGetOneThatAllAttemptsHave() {
    shards.routed(FakeShards.routing("{_id: 1}", "a"));
    shards.reply("a", "{ok: 0, " + STALE + "}");
    WriteOutcome outcome = insert(FakeShards.SHARDED, true, List.of(RawDocument.parse("{x: 1}")));
    assertThat(outcome.failures()).isEmpty();
    assertThat(shards.sent).hasSize(2);
    assertThat(shards.sent.getFirst()).doesNotContain("?").isEqualTo(shards.sent.getLast());
  }

  @Test
  void whatAStaleShardRefusesGoesToTheNewOwnerOnce() {
    shards.reply(
        "b", "{n: 1, writeErrors: [{index: 1, " + STALE + "}, {index: 2, " + STALE + "}]}");
    shards.refreshedTo(FakeShards.routing("{k: 1}", "a", 10, "b", 15, "c"));
    WriteOutcome outcome = insert(false, 10, 15, 1, 16);
    assertThat(shards.sent).containsExactly("b: insert 0 1 3", "a: insert 2", "c: insert 1 3");
    assertThat(shards.stale).isNotEmpty();
    assertThat(outcome.matched()).isEqualTo(4);
    assertThat(outcome.failures()).isEmpty();
  }

  @Test
  void orderedBatchGoesOnWhereAStaleShardStopped() {
    shards.reply("b", "{n: 1, writeErrors: [{index: 1, " + STALE + "}]}");
    shards.refreshedTo(FakeShards.routing("{k: 1}", "a", 10, "b", 15, "c"));
    WriteOutcome outcome = insert(true, 10, 15, 11, 1);
    assertThat(shards.sent)
        .containsExactly("b: insert 0 1 2", "c: insert 1", "b: insert 2", "a: insert 3");
    assertThat(outcome.matched()).isEqualTo(4);
  }

  @Test
  void staleVersionsForEverAreShown() {
    for (int i = 0; i < 100; i++) {
      shards.reply("b", "{ok: 0, " + STALE + "}");
    }
    WriteOutcome outcome = insert(false, 10, 1);
    assertThat(failed(outcome)).containsExactly(0);
    assertThat(codes(outcome)).containsExactly(13388);
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(shards.sent.stream().filter(each -> each.startsWith("a"))).hasSize(1);
    assertThat(shards.sent.size()).isLessThan(20);
  }

  @Test
  void multiUpdateAsksNoShardTwiceThatHasDoneIt() {
    shards.reply("b", "{ok: 0, " + STALE + "}");
    shards.reply("a", "{n: 3, nModified: 2, ok: 1}");
    WriteOutcome outcome = update(true, updateAll("{}"), updateAll("{k: 1}"));
    assertThat(shards.sent)
        .containsExactly(
            "a: update {}", "b: update {}", "c: update {}", "b: update {}", "a: update {\"k\": 1}");
    assertThat(outcome.matched()).isEqualTo(6);
    assertThat(outcome.modified()).isEqualTo(5);
  }

  @Test
  void errorsOfSeveralShardsAreOneError() {
    shards.reply("a", "{n: 0, writeErrors: [{index: 0, code: 2, errmsg: 'one'}]}");
    shards.reply("b", "{n: 0, writeErrors: [{index: 0, code: 3, errmsg: 'two'}]}");
    WriteOutcome outcome = update(true, updateAll("{}"), updateAll("{}"));
    assertThat(failed(outcome)).containsExactly(0);
    assertThat(codes(outcome)).containsExactly(65);
    assertThat(outcome.failures().getFirst().error()).hasMessage("one :: and :: two");
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(shards.sent).hasSize(3);
  }

  @Test
  void sameErrorOfSeveralShardsIsThatError() {
    shards.reply("a", "{n: 0, writeErrors: [{index: 0, code: 2, errmsg: 'one'}]}");
    shards.reply("b", "{n: 0, writeErrors: [{index: 0, code: 2, errmsg: 'two'}]}");
    WriteOutcome outcome = update(false, updateAll("{}"));
    assertThat(codes(outcome)).containsExactly(2);
    assertThat(outcome.failures().getFirst().error()).hasMessage("one");
  }

  @Test
  void upsertedIdsHaveTheIndexesOfTheClient() {
    shards.reply("b", "{n: 1, nModified: 0, upserted: [{index: 0, _id: 'new'}], ok: 1}");
    WriteOutcome outcome =
        update(
            true,
            statement("{k: 1}", "{$set: {x: 1}}", false, true),
            statement("{k: 15}", "{$set: {x: 1}}", false, true));
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(outcome.upserted())
        .containsExactly(new WriteOutcome.Upserted(1, RawValue.ofString("new")));
  }

  @Test
  void statementsKeepTheirNumbers() {
    operation.retryableWrite(
        new RetryableWrite(SessionId.of(1, 2), 5, StatementIds.of(new int[] {7, 3, 9})));
    shards.reply("a", "{n: 2, retriedStmtIds: [9, 7], ok: 1}");
    WriteOutcome outcome = insert(false, 1, 15, 2);
    assertThat(shards.commands.getFirst().get("stmtIds").asDocument())
        .isEqualTo(RawDocument.parse("{'0': 7, '1': 9}"));
    assertThat(shards.commands.getLast().get("stmtIds").asDocument())
        .isEqualTo(RawDocument.parse("{'0': 3}"));
    assertThat(outcome.retried()).containsExactly(7, 9);
    assertThat(operation.retryableWrite().attempted()).isTrue();
  }

  @Test
  void unreachableShardFailsItsStatements() {
    var error = new CommandException(ErrorCode.HOST_UNREACHABLE, "gone");
    shards.fail("b", error);
    WriteOutcome outcome = insert(false, 15, 1, 16);
    assertThat(failed(outcome)).containsExactly(0, 2);
    assertThat(codes(outcome)).containsOnly(6);
    assertThat(outcome.matched()).isEqualTo(1);
  }

  @Test
  void unreachableShardEndsARetryableWrite() {
    operation.retryableWrite(new RetryableWrite(SessionId.of(1, 2), 5, StatementIds.IN_ORDER));
    shards.fail("b", new CommandException(ErrorCode.HOST_UNREACHABLE, "gone"));
    var thrown = catchThrowableOfType(CommandException.class, () -> insert(false, 15, 1, 16));
    assertThat(thrown.code()).isEqualTo(ErrorCode.HOST_UNREACHABLE);
  }

  @Test
  void shardThatWroteNothingDoesNotSpeakForOthers() {
    operation.retryableWrite(new RetryableWrite(SessionId.of(1, 2), 5, StatementIds.IN_ORDER));
    shards.reply(
        "b",
        "{ok: 0, code: 91, errmsg: 'down',"
            + " errorLabels: ['RetryableWriteError', 'NoWritesPerformed']}");
    var thrown = catchThrowableOfType(CommandException.class, () -> insert(true, 1, 15));
    assertThat(thrown.labels()).containsExactly("RetryableWriteError");
  }

  @Test
  void writeConcernErrorsBecomeOne() {
    RoutedOperation routed = attach("{insert: 'c', $db: 'db'}");
    String error =
        "writeConcernError: {code: 64, codeName: 'WriteConcernFailed', errmsg: 'timed out',"
            + " errInfo: {wtimeout: true}}";
    shards.reply("a", "{n: 1, " + error + ", ok: 1}");
    insert(false, 1, 15);
    assertThat(routed.writeConcernError().get("errmsg").asString())
        .isEqualTo("WriteConcernFailed: timed out; Error details: { wtimeout: true } at a");
    shards.reply("b", "{n: 1, " + error + ", ok: 1}");
    insert(false, 1, 15);
    assertThat(routed.writeConcernError().get("errmsg").asString())
        .isEqualTo(
            "Multiple errors reported :: WriteConcernFailed: timed out; Error details:"
                + " { wtimeout: true } at a :: and :: WriteConcernFailed: timed out; Error"
                + " details: { wtimeout: true } at b");
    assertThat(routed.writeConcernError().get("code").asInt32()).isEqualTo(64);
  }

  private RoutedOperation attach(String body) {
    CommandRequest request = CommandRequest.of(RawDocument.parse(body), List.of(), false);
    request.readGenericArguments();
    return RoutedOperation.attach(operation, request);
  }

  @Test
  void shardsTellAlsoWhereTheClientDoesNotAsk() {
    attach("{insert: 'c', $db: 'db', writeConcern: {w: 0}}");
    insert(false, 1);
    assertThat(shards.commands.getFirst().get("writeConcern").asDocument())
        .isEqualTo(RawDocument.parse("{w: 1}"));
  }

  @Test
  void messagesStayWithinTheirLimit() {
    int bytes = 15 * 1024 * 1024;
    RawDocument large =
        new BsonBuilder(bytes + 64)
            .appendInt32("_id", 1)
            .appendInt32("k", 1)
            .appendString("s", "x".repeat(bytes))
            .toDocument();
    List<RawDocument> documents = List.of(large, large, large, large);
    for (boolean ordered : new boolean[] {true, false}) {
      shards.sent.clear();
      WriteOutcome outcome = insert(FakeShards.SHARDED, ordered, documents);
      assertThat(shards.sent).as("ordered: " + ordered).hasSize(2);
      assertThat(outcome.matched()).isEqualTo(4);
    }
    assertThat(2L * large.length()).isLessThan(Limits.MESSAGE_BYTES_MAX);
  }

  @Test
  void deletesOfManyGoToAllShards() {
    WriteOutcome outcome =
        shards
            .writes()
            .delete(
                operation,
                new DeleteRequest(
                    FakeShards.SHARDED,
                    List.of(
                        new DeleteStatement(RawDocument.parse("{x: 1}"), true, null),
                        new DeleteStatement(RawDocument.parse("{k: 30}"), false, null)),
                    false));
    assertThat(shards.sent)
        .containsExactly(
            "a: delete {\"x\": 1}", "b: delete {\"x\": 1}", "c: delete {\"x\": 1} {\"k\": 30}");
    assertThat(outcome.matched()).isEqualTo(4);
  }

  private static final String WOULD_MOVE =
      "{n: 1, nModified: 1, writeErrors: [{index: 1, code: 283, errmsg: 'would move'}], ok: 1}";

  private WriteOutcome moving() {
    operation.retryableWrite(new RetryableWrite(SessionId.of(1, 2), 5, StatementIds.IN_ORDER));
    return update(
        true,
        statement("{k: 1}", "{$set: {x: 1}}", false, false),
        statement("{k: 2}", "{$set: {k: 30}}", false, false),
        statement("{k: 3}", "{$set: {x: 1}}", false, false));
  }

  @Test
  void updateThatMovesADocumentIsATransactionOfItsOwn() {
    shards.reply("a", WOULD_MOVE);
    shards.reply(
        "a",
        "{n: 1, nModified: 1, movedDocuments: [{index: 0, document: {_id: 7, k: 30}}], ok: 1}");
    WriteOutcome outcome = moving();
    assertThat(shards.sent)
        .containsExactly(
            "a: update {\"k\": 1} {\"k\": 2} {\"k\": 3}",
            "a: update {\"k\": 2}",
            "c: insert 7",
            "a: coordinateCommitTransaction ",
            "a: update {\"k\": 3}");
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.matched()).isEqualTo(3);
    assertThat(outcome.modified()).isEqualTo(3);
    RawDocument removal = shards.commands.get(1);
    RawDocument insert = shards.commands.get(2);
    assertThat(removal.get("routing").asDocument().get("of").asDocument().get("stmtId").toLong())
        .isEqualTo(1);
    assertThat(insert.get("lsid")).isEqualTo(removal.get("lsid"));
    assertThat(insert.get("txnNumber")).isEqualTo(removal.get("txnNumber"));
    assertThat(SessionId.of(insert.get("lsid").asDocument()))
        .isEqualTo(SessionId.of(1, 2).ofMoves());
  }

  @Test
  void moveThatAnotherWriteOvertakesIsStartedOver() {
    shards.reply("a", WOULD_MOVE);
    shards.reply("a", "{ok: 0, code: 112, errmsg: 'conflict'}");
    shards.reply("a", "{ok: 1}");
    shards.reply("a", "{n: 2, nModified: 2, ok: 1}");
    WriteOutcome outcome = moving();
    assertThat(shards.sent)
        .containsExactly(
            "a: update {\"k\": 1} {\"k\": 2} {\"k\": 3}",
            "a: update {\"k\": 2}",
            "a: abortTransaction ",
            "a: update {\"k\": 2} {\"k\": 3}");
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.modified()).isEqualTo(3);
  }

  @Test
  void documentThatCannotBeInsertedStaysWhereItIs() {
    shards.reply("a", WOULD_MOVE);
    shards.reply(
        "a",
        "{n: 1, nModified: 1, movedDocuments: [{index: 0, document: {_id: 7, k: 30}}], ok: 1}");
    shards.reply(
        "c",
        "{n: 0, writeErrors: [{index: 0, code: 11000, keyPattern: {_id: 1}, errmsg: 'twice'}],"
            + " ok: 1}");
    WriteOutcome outcome = moving();
    assertThat(shards.sent.subList(3, 5))
        .containsExactly("a: abortTransaction ", "c: abortTransaction ");
    assertThat(failed(outcome)).containsExactly(1);
    assertThat(outcome.failures().getFirst().error())
        .hasMessageStartingWith("Failed to update document's shard key field.")
        .hasMessageEndingWith(" :: caused by :: twice");
  }
}
