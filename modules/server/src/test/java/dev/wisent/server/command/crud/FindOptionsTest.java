package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options of queries that do not go together, and what they make of index keys. */
class FindOptionsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void fill() {
    SERVER.fresh("c");
    SERVER.run("{insert: 'c', documents: [{_id: 1, a: {b: 5}}, {_id: 2, a: {b: 6}}, {_id: 3}]}");
    SERVER.run("{createIndexes: 'c', indexes: [{key: {'a.b': 1}, name: 'i'}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{find: 'c', sort: {$natural: 1}, hint: 'i'}",
        "{find: 'c', sort: {$natural: -1}, hint: {'a.b': 1}}",
        "{findAndModify: 'c', query: {}, remove: true, sort: {$natural: 1}, hint: 'i'}"
      })
  void theNaturalOrderHasNoIndex(String command) {
    assertError(SERVER.fail(command), 2, "index hint not allowed with $natural sort order");
  }

  @Test
  void theNaturalOrderHasOneDirection() {
    assertOk(SERVER.run("{find: 'c', sort: {$natural: -1}, hint: {$natural: -1}}"));
    assertError(
        SERVER.fail("{find: 'c', sort: {$natural: -1}, hint: {$natural: 1}}"),
        2,
        "$natural hint must be in the same direction as $natural sort order");
  }

  @Test
  void theKeyOfADistinctHasNoNul() {
    assertError(
        SERVER.fail("{distinct: 'c', key: 'a\\u0000b'}"),
        31032,
        "Key field cannot contain an embedded null byte");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {k: {$meta: 'sortKey'}} | {'a.b': 5, k: [5]}
          {'k.l.m': {$meta: 'sortKey'}} | {'a.b': 5, k: {l: {m: [5]}}}
          {'k.l': {$meta: 'sortKey'}, 'k.m': {$meta: 'sortKey'}} | {'a.b': 5, k: {l: [5], m: [5]}}
          """)
  void returnedKeysKeepTheirNamesAndSortKeysAreNested(String projection, String expected) {
    assertThat(
            batch(
                SERVER.run(
                    "{find: 'c', filter: {_id: 1}, hint: 'i', returnKey: true, sort: {'a.b': 1},"
                        + " projection: "
                        + projection
                        + "}")))
        .containsExactly(BsonDocument.parse(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{a: 'hashed', 'a.b': 1}",
        "{'a.b': 1, a: 'hashed'}",
        "{a: 1, 'a.b': 1}",
        "{'a.b': 1, a: 1}",
        "{'a.b': 1, 'a.b.c': 'hashed'}",
        "{'a.b.c': 'hashed', 'a.b': 1}"
      })
  void aHashDoesNotHideWhatLiesBelow(String key) {
    SERVER.run("{createIndexes: 'c', indexes: [{key: " + key + ", name: 'h'}]}");
    for (String sort : new String[] {"{'a.b': 1}", "{'a.b': 1, _id: 1}"}) {
      assertThat(
              batch(
                  SERVER.run(
                      "{find: 'c', hint: 'h', projection: {'a.b': 1, _id: 0}, sort: "
                          + sort
                          + "}")))
          .containsExactly(
              BsonDocument.parse("{}"),
              BsonDocument.parse("{a: {b: 5}}"),
              BsonDocument.parse("{a: {b: 6}}"));
    }
    assertThat(batch(SERVER.run("{find: 'c', hint: 'h', filter: {'a.b': {$mod: [5, 0]}}}")))
        .hasSize(1);
    assertThat(
            batch(
                SERVER.run(
                    "{aggregate: 'c', hint: 'h', pipeline: [{$group: {_id: '$a.b'}},"
                        + " {$sort: {_id: -1}}, {$limit: 1}], cursor: {}}")))
        .containsExactly(BsonDocument.parse("{_id: 6}"));
  }
}
