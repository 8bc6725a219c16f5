package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which element the positional {@code $} stands for, by the normal form of the filter. */
class PositionalOperatorTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void fill() {
    SERVER.fresh("c");
    SERVER.run("{insert: 'c', documents: [{_id: 1, a: [1, 2, 3], b: [10, 20, 30]}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {a: 2} | 20
          {$or: [{a: 2}, {a: 3}]} | 20
          {$or: [{a: 9}, {a: 3}]} | 30
          {$or: [{a: 3}]} | 30
          {$or: [{$or: [{a: 9}, {a: 2}]}, {a: 8}]} | 20
          {$and: [{$or: [{a: 2}, {a: 3}]}]} | 20
          {$or: [{a: 3}, {a: {$in: [7, 8]}}]} | 30
          {a: 2, b: 30} | 30
          {b: 30, a: 2} | 30
          """)
  void anElement(String filter, int element) {
    String projected = "[{_id: 1, b: [" + element + "]}]";
    assertThat(batch(SERVER.run("{find: 'c', filter: " + filter + ", projection: {'b.$': 1}}")))
        .isEqualTo(BsonDocument.parse("{v: " + projected + "}").getArray("v").getValues());
    BsonDocument removed =
        SERVER.run("{findAndModify: 'c', query: " + filter + ", remove: true, fields: {'b.$': 1}}");
    assertThat(removed.getDocument("value").getArray("b").get(0).asInt32().getValue())
        .isEqualTo(element);
    fill();
    SERVER.run("{update: 'c', updates: [{q: " + filter + ", u: {$set: {'b.$': 99}}}]}");
    assertThat(SERVER.run("{count: 'c', query: {b: " + element + "}}").getInt32("n").getValue())
        .isZero();
  }

  @Test
  void otherDisjunctionsHaveNone() {
    assertCode(
        SERVER.fail("{find: 'c', filter: {$or: [{a: 2}, {b: 30}]}, projection: {'b.$': 1}}"),
        51246);
  }
}
