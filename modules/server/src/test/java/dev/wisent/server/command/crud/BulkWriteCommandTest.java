package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.cursorId;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bulkWrite command of MongoDB 8.0. */
class BulkWriteCommandTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void empty() {
    SERVER.fresh("a");
    SERVER.fresh("b");
  }

  private static String command(String ops, String more) {
    return "{bulkWrite: 1, ops: ["
        + ops
        + "], nsInfo: [{ns: 'test.a'}, {ns: 'test.b'}]"
        + more
        + "}";
  }

  private static void assertCounts(
      BsonDocument reply,
      int errors,
      int inserted,
      int matched,
      int modified,
      int upserted,
      int deleted) {
    assertThat(number(reply, "nErrors")).as("%s", reply).isEqualTo(errors);
    assertThat(number(reply, "nInserted")).isEqualTo(inserted);
    assertThat(number(reply, "nMatched")).isEqualTo(matched);
    assertThat(number(reply, "nModified")).isEqualTo(modified);
    assertThat(number(reply, "nUpserted")).isEqualTo(upserted);
    assertThat(number(reply, "nDeleted")).isEqualTo(deleted);
  }

  @Test
  void allKindsInSeveralCollections() {
    BsonDocument reply =
        SERVER.admin(
            command(
                "{insert: 0, document: {_id: 1, x: 1}}, {insert: 1, document: {_id: 1}},"
                    + " {insert: 0, document: {_id: 2, x: 1}},"
                    + " {update: 0, filter: {x: 1}, updateMods: {$set: {x: 2}}, multi: true},"
                    + " {update: 1, filter: {_id: 9}, updateMods: {$set: {y: 1}}, upsert: true},"
                    + " {update: 0, filter: {_id: 1}, updateMods: {$set: {x: 2}}},"
                    + " {delete: 0, filter: {_id: 2}}, {delete: 1, filter: {}, multi: true}",
                ""));
    assertCounts(reply, 0, 3, 3, 2, 1, 3);
    assertThat(cursorId(reply)).isZero();
    assertThat(reply.getDocument("cursor").getString("ns").getValue())
        .isEqualTo("admin.$cmd.bulkWrite");
    assertThat(batch(reply)).hasSize(8);
    assertThat(batch(reply).get(0).asDocument().toJson())
        .isEqualTo("{\"ok\": 1.0, \"idx\": 0, \"n\": 1}");
    assertThat(batch(reply).get(3).asDocument().toJson())
        .isEqualTo("{\"ok\": 1.0, \"idx\": 3, \"n\": 2, \"nModified\": 2}");
    assertThat(batch(reply).get(4).asDocument().toJson())
        .isEqualTo(
            "{\"ok\": 1.0, \"idx\": 4, \"n\": 1, \"nModified\": 0, \"upserted\": {\"_id\": 9}}");
    assertThat(batch(reply).get(7).asDocument().toJson())
        .isEqualTo("{\"ok\": 1.0, \"idx\": 7, \"n\": 2}");
  }

  @Test
  void orderedStopsAtTheFirstError() {
    BsonDocument reply =
        SERVER.admin(
            command(
                "{insert: 0, document: {_id: 1}}, {insert: 0, document: {_id: 1}},"
                    + " {insert: 0, document: {_id: 2}}, {delete: 0, filter: {_id: 1}}",
                ""));
    assertCounts(reply, 1, 1, 0, 0, 0, 0);
    assertThat(batch(reply)).hasSize(2);
    BsonDocument failed = batch(reply).getLast().asDocument();
    assertThat(failed.getNumber("ok").intValue()).isZero();
    assertThat(number(failed, "idx")).isEqualTo(1);
    assertThat(number(failed, "code")).isEqualTo(11000);
    assertThat(failed).containsKeys("errmsg", "keyPattern", "keyValue", "n");
  }

  @Test
  void unorderedGoesOn() {
    BsonDocument reply =
        SERVER.admin(
            command(
                "{insert: 0, document: {_id: 1}}, {insert: 0, document: {_id: 1}},"
                    + " {insert: 0, document: {_id: 2}},"
                    + " {update: 0, filter: {_id: 1}, updateMods: {$nosuch: 1}},"
                    + " {delete: 0, filter: {_id: 1}}",
                ", ordered: false"));
    assertCounts(reply, 2, 2, 0, 0, 0, 1);
    assertThat(batch(reply)).hasSize(5);
  }

  @Test
  void errorsOnly() {
    BsonDocument reply =
        SERVER.admin(
            command(
                "{insert: 0, document: {_id: 1}}, {insert: 0, document: {_id: 1}},"
                    + " {insert: 0, document: {_id: 2}}",
                ", ordered: false, errorsOnly: true"));
    assertCounts(reply, 1, 2, 0, 0, 0, 0);
    assertThat(batch(reply)).hasSize(1);
    assertThat(number(batch(reply).getFirst().asDocument(), "idx")).isEqualTo(1);
  }

  @Test
  void resultsInSeveralBatches() {
    try (RawClient client = SERVER.connect()) {
      BsonDocument first =
          client.run(
              command(
                  "{insert: 0, document: {_id: 1}}, {insert: 0, document: {_id: 2}},"
                      + " {insert: 0, document: {_id: 3}}",
                  ", cursor: {batchSize: 1}, $db: 'admin'"));
      assertThat(batch(first)).hasSize(1);
      BsonDocument rest =
          client.run(
              "{getMore: {$numberLong: '"
                  + cursorId(first)
                  + "'}, collection: '$cmd.bulkWrite', $db: 'admin'}");
      assertThat(batch(rest)).hasSize(2);
      assertThat(cursorId(rest)).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {insert: 2, document: {}} | 2
          {insert: -1, document: {}} | 2
          {insert: 0} | 40414
          {insert: 0, document: 1} | 14
          {insert: 'x', document: {}} | 14
          {update: 0, filter: {}} | 40414
          {update: 0, updateMods: {}} | 40414
          {update: 0, filter: {}, updateMods: 5} | 9
          {update: 0, filter: {}, updateMods: {$set: {a: 1}}, multi: 'x'} | 14
          {update: 0, filter: {}, updateMods: {$set: {a: 1}}, constants: {a: 1}} | 51198
          {delete: 0} | 40414
          {nosuch: 0} | 2
          {} | 2
          """)
  void wrongOperation(String operation, int code) {
    assertCode(
        SERVER.fail("admin", command("{insert: 0, document: {_id: 1}}, " + operation, "")), code);
    assertThat(SERVER.run("{count: 'a'}").getInt32("n").getValue())
        .as("nothing is done when an operation cannot be read")
        .isZero();
  }

  @Test
  void namespaceIndexOutOfRange() {
    assertError(
        SERVER.fail("admin", command("{insert: 0, document: {}}, {delete: 5, filter: {}}", "")),
        2,
        "BulkWrite ops entry 1 has an invalid nsInfo index.");
  }
}
