package dev.wisent.server.command.diagnostic;

import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.cursorId;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What currentOp tells of cursors, idle and in use. */
class CurrentCursorsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeAll
  static void documents() {
    SERVER.run("{insert: 'c', documents: [{_id: 1, a: 1}, {_id: 2, a: 1}, {_id: 3, a: 1}]}");
    SERVER.run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}");
    SERVER.run("{create: 'tail', capped: true, size: 4096}");
    SERVER.run("{insert: 'tail', documents: [{_id: 1}]}");
  }

  private static List<BsonDocument> operations(String stage, String filter) {
    return batch(
            SERVER.admin(
                "{aggregate: 1, cursor: {}, pipeline: [{$currentOp: "
                    + stage
                    + "}, {$match: "
                    + filter
                    + "}]}"))
        .stream()
        .map(BsonValue::asDocument)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "find: 'c', batchSize: 1 | COLLSCAN",
        "find: 'c', filter: {a: 1}, batchSize: 1 | IXSCAN { a: 1 }",
        "aggregate: 'c', pipeline: [{$match: {a: 1}}], cursor: {batchSize: 1} | IXSCAN { a: 1 }",
        "aggregate: 'c', pipeline: [{$unwind: '$a'}], cursor: {batchSize: 1} | COLLSCAN",
        "aggregate: 'c', pipeline: [{$group: {_id: '$_id', n: {$sum: 1}}}], cursor: {batchSize: 1}"
            + " | COLLSCAN",
      })
  void idleCursorsTellWhereTheyComeFrom(String command, String planSummary) {
    long id = cursorId(SERVER.run("{" + command + ", comment: 'idle one'}"));
    BsonDocument shown =
        operations("{idleCursors: true}", "{'cursor.cursorId': {$numberLong: '" + id + "'}}")
            .getFirst();
    assertThat(shown.getString("type").getValue()).isEqualTo("idleCursor");
    assertThat(shown.getString("host").getValue()).endsWith(":" + SERVER.server().port());
    BsonDocument cursor = shown.getDocument("cursor");
    assertThat(cursor.getDocument("originatingCommand").getString("comment").getValue())
        .isEqualTo("idle one");
    assertThat(cursor.getString("planSummary").getValue()).isEqualTo(planSummary);
    assertThat(number(cursor, "nDocsReturned")).isEqualTo(1);
    SERVER.run("{killCursors: 'c', cursors: [{$numberLong: '" + id + "'}]}");
  }

  @Test
  void getMoreTellsWhatItGoesOnWith() {
    try (RawClient client = SERVER.connect()) {
      BsonDocument first =
          client.run(
              "{find: 'tail', tailable: true, awaitData: true, comment: 'origin', $db: 'test'}");
      String id = "{$numberLong: '" + cursorId(first) + "'}";
      var waiting =
          CompletableFuture.supplyAsync(
              () ->
                  client.run(
                      "{getMore: " + id + ", collection: 'tail', maxTimeMS: 60000, $db: 'test'}"));
      String filter = "{'cursor.cursorId': " + id + ", op: 'getmore'}";
      Eventually.await("it waits", () -> !operations("{}", filter).isEmpty());
      BsonDocument shown = operations("{}", filter).getFirst();
      BsonDocument cursor = shown.getDocument("cursor");
      assertThat(cursor.getDocument("originatingCommand").getString("comment").getValue())
          .isEqualTo("origin");
      assertThat(cursor.getBoolean("tailable").getValue()).isTrue();
      assertThat(cursor.getBoolean("awaitData").getValue()).isTrue();
      assertThat(shown.getBoolean("waitingForLock").getValue()).isFalse();
      SERVER.run("{insert: 'tail', documents: [{_id: 2}]}");
      assertThat(batch(waiting.join())).hasSize(1);
    }
  }
}
