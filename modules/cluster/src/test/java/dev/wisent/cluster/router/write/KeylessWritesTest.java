package dev.wisent.cluster.router.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes of one document that do not tell its shard. */
class KeylessWritesTest {
  private static final String NONE = "{n: 0, nModified: 0, ok: 1}";
  private static final String STALE =
      "code: 13388, errmsg: 'stale', ns: 'db.c', vReceived: {}, shardId: 'b'";

  private final FakeShards shards = new FakeShards();
  private final OperationContext operation = OperationContext.internal(Clock.system());

  private WriteOutcome update(String query, String update, boolean upsert) {
    return shards
        .writes()
        .update(
            operation,
            new UpdateRequest(
                FakeShards.SHARDED,
                List.of(
                    new UpdateStatement(
                        RawDocument.parse(query),
                        RawValue.ofDocument(RawDocument.parse(update)),
                        false,
                        upsert,
                        List.of(),
                        RawDocument.parse("{y: 1}"),
                        RawValue.ofString("x_1"))),
                true,
                false));
  }

  private FindAndModifyOutcome findAndModify(String query, String update, boolean upsert) {
    return shards
        .writes()
        .findAndModify(
            operation,
            new FindAndModifyRequest(
                FakeShards.SHARDED,
                RawDocument.parse(query),
                RawDocument.EMPTY,
                update == null ? null : RawValue.ofDocument(RawDocument.parse(update)),
                false,
                upsert,
                RawDocument.EMPTY,
                List.of(),
                false,
                null));
  }

  private void retryable() {
    operation.retryableWrite(new RetryableWrite(SessionId.of(1, 2), 5, StatementIds.from(4)));
  }

  @Test
  void documentIsFoundFirstAndChangedOnItsShard() {
    shards.finds("{_id: 8, k: 15}");
    WriteOutcome outcome = update("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(shards.finds.getFirst().filter()).isEqualTo(RawDocument.parse("{x: 1}"));
    assertThat(shards.finds.getFirst().projection()).isEqualTo(RawDocument.parse("{_id: 1, k: 1}"));
    assertThat(shards.finds.getFirst().sort()).isEqualTo(RawDocument.parse("{y: 1}"));
    assertThat(shards.finds.getFirst().hint()).isEqualTo(RawValue.ofString("x_1"));
    assertThat(shards.finds.getFirst().limit()).isEqualTo(1);
    assertThat(shards.sent)
        .containsExactly("b: update {\"k\": 15, \"_id\": 8, \"$and\": [{\"x\": 1}]}");
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(outcome.modified()).isEqualTo(1);
  }

  @Test
  void nothingFoundIsNothingDone() {
    WriteOutcome outcome = update("{_id: 1}", "{$set: {z: 1}}", false);
    assertThat(shards.sent).isEmpty();
    assertThat(outcome.matched()).isZero();
    assertThat(outcome.failures()).isEmpty();
  }

  /** One that moves may be on no shard at the time when that shard is asked. */
  @Test
  void nothingIsFoundOnlyAtOneTimeOfAllShards() {
    shards.snapshot = new TestTime();
    shards.finds().finds("{_id: 8, k: 15}");
    WriteOutcome outcome = update("{_id: 8}", "{$set: {z: 1}}", false);
    assertThat(shards.readPoints).containsExactly(null, shards.snapshot);
    assertThat(shards.sent).hasSize(1);
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(operation.readPoint()).isNull();
  }

  private record TestTime() implements ReadPoint {
    @Override
    public long timestamp() {
      return 1;
    }

    @Override
    public ReadPoint share() {
      return this;
    }

    @Override
    public void close() {}
  }

  @Test
  void documentThatDoesNotMatchAnyMoreIsLookedForAgain() {
    shards.finds("{_id: 8, k: 15}").finds("{_id: 9, k: 30}");
    shards.reply("b", NONE);
    WriteOutcome outcome = update("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(shards.sent).hasSize(2);
    assertThat(shards.sent.getLast()).startsWith("c: update");
    assertThat(outcome.matched()).isEqualTo(1);
  }

  @Test
  void staleVersionsAreLookedForAgainToo() {
    shards.finds("{_id: 8, k: 15}").finds("{_id: 8, k: 15}").finds("{_id: 8, k: 15}");
    shards.refreshedTo(FakeShards.routing("{k: 1}", "a", 10, "c"));
    shards.reply("b", "{n: 0, writeErrors: [{index: 0, " + STALE + "}], ok: 1}");
    shards.reply("c", "{ok: 0, " + STALE + "}");
    WriteOutcome outcome = update("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(shards.sent.stream().map(each -> each.substring(0, 1)).toList())
        .containsExactly("b", "c", "c");
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(outcome.failures()).isEmpty();
  }

  @Test
  void searchDoesNotGoOnForEver() {
    for (int i = 0; i < 200; i++) {
      shards.finds("{_id: 8, k: 15}").reply("b", NONE);
    }
    WriteOutcome outcome = update("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(outcome.failures().getFirst().error().code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
  }

  @Test
  void deleteOfOneFindsItToo() {
    shards.finds("{_id: 8, k: 15}");
    WriteOutcome outcome =
        shards
            .writes()
            .delete(
                operation,
                new DeleteRequest(
                    FakeShards.SHARDED,
                    List.of(new DeleteStatement(RawDocument.parse("{_id: 8}"), false, null)),
                    true));
    assertThat(shards.sent)
        .containsExactly("b: delete {\"k\": 15, \"_id\": 8, \"$and\": [{\"_id\": 8}]}");
    assertThat(outcome.matched()).isEqualTo(1);
  }

  @Test
  void upsertInsertsWhereTheNewDocumentBelongs() {
    shards.reply("c", "{n: 1, nModified: 0, upserted: [{index: 0, _id: 5}], ok: 1}");
    WriteOutcome outcome = update("{_id: 5}", "{$set: {k: 30}}", true);
    assertThat(shards.sent).containsExactly("c: update {\"$alwaysFalse\": 1}");
    assertThat(outcome.upserted())
        .containsExactly(new WriteOutcome.Upserted(0, RawValue.ofInt32(5)));
    assertThat(outcome.matched()).isZero();
  }

  @Test
  void upsertWithoutTheKeyInsertsWhereNullIs() {
    shards.reply("a", "{n: 1, nModified: 0, upserted: [{index: 0, _id: 5}], ok: 1}");
    update("{x: 5}", "{$set: {z: 1}}", true);
    assertThat(shards.sent).containsExactly("a: update {\"$alwaysFalse\": 1}");
  }

  @Test
  void upsertThatChangesItsKeyIsTargetedByTheNewDocument() {
    shards.reply("c", "{n: 1, nModified: 0, upserted: [{index: 0, _id: 5}], ok: 1}");
    update("{k: 1}", "{k: 30}", true);
    assertThat(shards.finds).hasSize(1);
    assertThat(shards.sent).containsExactly("c: update {\"$alwaysFalse\": 1}");
  }

  @Test
  void upsertWithTheWholeKeyIsForOneShard() {
    update("{k: 30}", "{$set: {z: 1}}", true);
    update("{k: 1}", "{k: 1, x: 1}", true);
    assertThat(shards.finds).isEmpty();
    assertThat(shards.sent).containsExactly("c: update {\"k\": 30}", "a: update {\"k\": 1}");
  }

  @Test
  void filterThatLeavesOneShardNeedsNoSearch() {
    update("{k: {$gte: 11, $lt: 15}}", "{$set: {z: 1}}", false);
    update("{$and: [{k: {$eq: 30}}, {x: 1}]}", "{$set: {z: 1}}", true);
    assertThat(shards.finds).isEmpty();
    assertThat(shards.sent.stream().map(each -> each.substring(0, 1)).toList())
        .containsExactly("b", "c");
  }

  /** The new document has no key, and may belong to another shard than the range. */
  @Test
  void upsertByARangeOfOneShardSearchesFirst() {
    shards.reply("a", "{n: 1, nModified: 0, upserted: [{index: 0, _id: 5}], ok: 1}");
    update("{k: {$gte: 11, $lt: 15}}", "{$set: {z: 1}}", true);
    assertThat(shards.finds).hasSize(1);
    assertThat(shards.sent).containsExactly("a: update {\"$alwaysFalse\": 1}");
  }

  @Test
  void upsertOfManyNeedsTheWholeKey() {
    WriteOutcome outcome =
        shards
            .writes()
            .update(
                operation,
                new UpdateRequest(
                    FakeShards.SHARDED,
                    List.of(
                        new UpdateStatement(
                            RawDocument.parse("{x: 1}"),
                            RawValue.ofDocument(RawDocument.parse("{$set: {z: 1}}")),
                            true,
                            true,
                            List.of(),
                            RawDocument.EMPTY,
                            null)),
                    true,
                    false));
    assertThat(outcome.failures().getFirst().error().code())
        .isEqualTo(ErrorCode.SHARD_KEY_NOT_FOUND);
    assertThat(outcome.failures().getFirst().error())
        .hasMessage("Failed to target upsert by query :: could not extract exact shard key");
  }

  @Test
  void upsertThatAnotherOneOvertakesUpdatesItsDocument() {
    shards.finds().finds("{_id: 5, k: 30}");
    shards.reply("c", "{n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'twice'}], ok: 1}");
    WriteOutcome outcome = update("{_id: 5}", "{$set: {k: 30}}", true);
    assertThat(shards.sent).hasSize(2);
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(outcome.failures()).isEmpty();
  }

  @Test
  void duplicateKeyOfAnotherDocumentIsShown() {
    shards.finds().finds();
    shards.reply("c", "{n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'twice'}], ok: 1}");
    WriteOutcome outcome = update("{_id: 5}", "{$set: {k: 30}}", true);
    assertThat(shards.sent).hasSize(1);
    assertThat(outcome.failures()).hasSize(1);
  }

  @Test
  void duplicateKeyOfAnUpdateIsShownAtOnce() {
    shards.finds("{_id: 5, k: 30}");
    shards.reply("c", "{n: 0, writeErrors: [{index: 0, code: 11000, errmsg: 'twice'}], ok: 1}");
    WriteOutcome outcome = update("{x: 5}", "{$set: {z: 30}}", false);
    assertThat(shards.finds).hasSize(1);
    assertThat(outcome.failures()).hasSize(1);
  }

  @Test
  void retryableWriteAsksFirstWhetherItIsDone() {
    retryable();
    shards.reply("a", "{n: 0, ok: 1}").reply("c", "{n: 0, ok: 1}");
    shards.reply("b", "{n: 1, retriedStmtIds: [4], ok: 1}");
    shards.reply("b", "{n: 1, nModified: 1, retriedStmtIds: [4], ok: 1}");
    WriteOutcome outcome = update("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(shards.finds).isEmpty();
    assertThat(shards.sent)
        .containsExactly(
            "a: delete {\"$alwaysFalse\": 1}",
            "b: delete {\"$alwaysFalse\": 1}",
            "c: delete {\"$alwaysFalse\": 1}",
            "b: update {\"x\": 1}");
    assertThat(shards.commands.getFirst().get("stmtIds").asDocument())
        .isEqualTo(RawDocument.parse("{'0': 4}"));
    assertThat(outcome.retried()).containsExactly(4);
    assertThat(outcome.modified()).isEqualTo(1);
  }

  @Test
  void retryableWriteThatIsNotDoneIsDone() {
    retryable();
    for (String shard : List.of("a", "b", "c")) {
      shards.reply(shard, "{n: 0, ok: 1}");
    }
    shards.finds("{_id: 8, k: 15}");
    shards.reply("b", "{n: 1, nModified: 1, ok: 1}");
    WriteOutcome outcome = update("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(shards.sent.getLast()).startsWith("b: update");
    assertThat(shards.commands.getLast().get("stmtIds").asDocument())
        .isEqualTo(RawDocument.parse("{'0': 4}"));
    assertThat(outcome.matched()).isEqualTo(1);
  }

  @Test
  void findAndModifyFindsItsDocument() {
    shards.finds("{_id: 8, k: 15}");
    shards.reply(
        "b", "{lastErrorObject: {n: 1, updatedExisting: true}, value: {_id: 8, k: 15}, ok: 1}");
    FindAndModifyOutcome outcome = findAndModify("{x: 1}", "{$set: {z: 1}}", false);
    assertThat(outcome.value()).isEqualTo(RawDocument.parse("{_id: 8, k: 15}"));
    assertThat(outcome.updatedExisting()).isTrue();
    assertThat(shards.commands.getFirst().get("query").asDocument())
        .isEqualTo(RawDocument.parse("{k: 15, _id: 8, $and: [{x: 1}]}"));
  }

  @Test
  void findAndModifyWithTheKeyIsForOneShard() {
    shards.reply("b", "{ok: 0, " + STALE + "}");
    shards.reply("b", "{lastErrorObject: {n: 1}, value: {_id: 8}, ok: 1}");
    FindAndModifyOutcome outcome = findAndModify("{k: 15}", null, false);
    assertThat(shards.finds).isEmpty();
    assertThat(outcome.matched()).isEqualTo(1);
    assertThat(shards.commands.getFirst().get("remove").asBoolean()).isTrue();
  }

  @Test
  void findAndModifyOfNothing() {
    FindAndModifyOutcome outcome = findAndModify("{x: 1}", null, false);
    assertThat(outcome.value()).isNull();
    assertThat(outcome.matched()).isZero();
  }

  @Test
  void findAndModifyShowsErrors() {
    shards.reply("a", "{ok: 0, code: 20, errmsg: 'must be retryable'}");
    var thrown =
        catchThrowableOfType(
            CommandException.class, () -> findAndModify("{k: 1}", "{$set: {k: 30}}", false));
    assertThat(thrown.code()).isEqualTo(ErrorCode.ILLEGAL_OPERATION);
  }
}
