package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.cursorId;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** createIndexes, listIndexes and dropIndexes. */
class IndexCommandsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void drop() {
    SERVER.run("{drop: 'c'}");
  }

  private static BsonDocument create(String... specs) {
    return SERVER.run("{createIndexes: 'c', indexes: [" + String.join(", ", specs) + "]}");
  }

  private static BsonDocument failCreate(String... specs) {
    return SERVER.fail("{createIndexes: 'c', indexes: [" + String.join(", ", specs) + "]}");
  }

  private static List<String> names() {
    return batch(SERVER.run("{listIndexes: 'c'}")).stream()
        .map(d -> d.asDocument().getString("name").getValue())
        .toList();
  }

  @Test
  void indexesAreListedInBatches() {
    SERVER.fresh("c");
    SERVER.run(
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}, {key: {b: 1}, name: 'b_1'}]}");
    BsonDocument first = SERVER.run("{listIndexes: 'c', cursor: {batchSize: 1}}");
    assertThat(batch(first)).hasSize(1);
    assertThat(cursorId(first)).isNotZero();
    BsonDocument rest =
        SERVER.run("{getMore: {$numberLong: '" + cursorId(first) + "'}, collection: 'c'}");
    assertThat(batch(rest)).hasSize(2);
    assertThat(cursorId(rest)).isZero();
    BsonDocument none = SERVER.run("{listIndexes: 'c', cursor: {batchSize: 0}}");
    assertThat(batch(none)).isEmpty();
    BsonDocument all =
        SERVER.run("{getMore: {$numberLong: '" + cursorId(none) + "'}, collection: 'c'}");
    assertThat(batch(all)).hasSize(3);
    SERVER.fresh("c");
  }

  @Test
  void createMakesTheCollection() {
    BsonDocument reply = create("{key: {a: 1}, name: 'a_1'}");
    assertThat(number(reply, "numIndexesBefore")).isEqualTo(1);
    assertThat(number(reply, "numIndexesAfter")).isEqualTo(2);
    assertThat(reply.getBoolean("createdCollectionAutomatically").getValue()).isTrue();
    assertThat(create("{key: {b: -1, c: 1}, name: 'bc'}"))
        .doesNotContainKey("createdCollectionAutomatically");
    assertThat(names()).containsExactly("_id_", "a_1", "bc");
  }

  @Test
  void indexesThatDoNotAgreeLeaveNoCollection() {
    assertCode(
        SERVER.fail(
            "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'x'}, {key: {b: 1}, name: 'x'}]}"),
        86);
    assertCode(SERVER.fail("{createIndexes: 'c', indexes: [{key: {_id: -1}, name: '_id_'}]}"), 2);
    assertCode(SERVER.fail("{listIndexes: 'c'}"), 26);
  }

  @Test
  void buildsAreListedWhereAskedFor() {
    create("{key: {a: 1}, name: 'a_1'}");
    List<BsonValue> plain = batch(SERVER.run("{listIndexes: 'c'}"));
    assertThat(batch(SERVER.run("{listIndexes: 'c', includeBuildUUIDs: true}"))).isEqualTo(plain);
    assertThat(batch(SERVER.run("{listIndexes: 'c', includeIndexBuildInfo: true}")))
        .isEqualTo(plain.stream().map(spec -> new BsonDocument("spec", spec)).toList());
    assertCode(
        SERVER.fail("{listIndexes: 'c', includeBuildUUIDs: true, includeIndexBuildInfo: true}"),
        72);
  }

  @Test
  void creatingAgainIsNoError() {
    create("{key: {a: 1}, name: 'a_1', unique: true}");
    BsonDocument reply = create("{key: {a: 1.0}, name: 'a_1', unique: true}");
    assertThat(reply.getString("note").getValue()).isEqualTo("all indexes already exist");
    assertThat(number(reply, "numIndexesAfter")).isEqualTo(2);
    assertThat(create("{key: {_id: 1}, name: '_id_'}").getString("note").getValue())
        .isEqualTo("all indexes already exist");
  }

  @Test
  void listedAsStored() {
    create("{key: {a: 1, 'b.c': -1}, name: 'n', unique: true, sparse: true, v: 2}");
    BsonDocument reply = SERVER.run("{listIndexes: 'c'}");
    assertThat(reply.getDocument("cursor").getString("ns").getValue()).isEqualTo("test.c");
    assertThat(batch(reply).getFirst().asDocument().toJson())
        .isEqualTo("{\"v\": 2, \"key\": {\"_id\": 1}, \"name\": \"_id_\"}");
    assertThat(batch(reply).getLast().asDocument().toJson())
        .isEqualTo(
            "{\"v\": 2, \"key\": {\"a\": 1, \"b.c\": -1}, \"name\": \"n\", \"unique\": true,"
                + " \"sparse\": true}");
    assertError(SERVER.fail("{listIndexes: 'nosuch'}"), 26, "ns does not exist: test.nosuch");
  }

  @Test
  void conflicts() {
    create("{key: {a: 1}, name: 'a_1'}");
    assertError(
        failCreate("{key: {a: 1}, name: 'other'}"),
        85,
        "Index already exists with a different name: a_1");
    assertCode(failCreate("{key: {b: 1}, name: 'a_1'}"), 86);
    assertCode(failCreate("{key: {a: 1}, name: 'a_1', unique: true}"), 86);
    assertThat(names()).containsExactly("_id_", "a_1");
  }

  @Test
  void oneKeyWithDifferentOptions() {
    create("{key: {a: 1}, name: 'plain'}");
    assertOk(create("{key: {a: 1}, name: 'unique', unique: true}"));
    assertOk(create("{key: {a: 1}, name: 'sparse', sparse: true}"));
    assertThat(names()).containsExactly("_id_", "plain", "unique", "sparse");
  }

  @Test
  void oneBadIndexAmongGoodOnes() {
    assertCode(failCreate("{key: {a: 1}, name: 'a'}", "{key: {b: 0}, name: 'b'}"), 67);
    assertCode(failCreate("{key: {a: 1}, name: 'a'}", "{key: {b: 1}, name: 'a'}"), 86);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {name: 'a'} | 9
          {key: {a: 1}} | 9
          {key: {}, name: 'a'} | 67
          {key: {a: 0}, name: 'a'} | 67
          {key: {a: true}, name: 'a'} | 67
          {key: {'': 1}, name: 'a'} | 67
          {key: {'a.': 1}, name: 'a'} | 67
          {key: {'.a': 1}, name: 'a'} | 67
          {key: {'a..b': 1}, name: 'a'} | 67
          {key: {$a: 1}, name: 'a'} | 67
          {key: {a: 1}, name: ''} | 67
          {key: {a: 1}, name: '*'} | 2
          {key: {a: 1}, name: 'a', v: 3} | 67
          {key: {a: 1}, name: 'a', x: 1} | 197
          {key: {a: 1}, name: '_id_'} | 2
          {key: {a: NaN}, name: 'a'} | 67
          {key: {a: 'x'}, name: 'a'} | 67
          {key: {a: ''}, name: 'a'} | 67
          {key: {a: 'text', b: 2}, name: 'a'} | 67
          {key: {a: '2dsphere_bucket'}, name: 'a'} | 238
          {key: {a: '2dsphere'}, name: 'a', '2dsphereIndexVersion': 9} | 67
          {key: {a: '2dsphere', b: '2d'}, name: 'a'} | 67
          {key: {a: '2dsphere'}, name: 'a', finestIndexedLevel: 31} | 16748
          {key: {a: '2dsphere'}, name: 'a', coarsestIndexedLevel: -1} | 16747
          {key: {a: '2dsphere'}, name: 'a', coarsestIndexedLevel: 9, finestIndexedLevel: 8} | 16749
          {key: {a: '2d'}, name: 'a', bits: 33} | 72
          {key: {a: '2d'}, name: 'a', bits: 0} | 72
          {key: {a: '2d'}, name: 'a', bits: 'x'} | 14
          {key: {a: '2d'}, name: 'a', min: 5, max: 5} | 72
          {key: {b: 1, a: '2d'}, name: 'a'} | 16801
          {key: {a: '2d', b: '2d'}, name: 'a'} | 16800
          {key: {a: 'geoHaystack'}, name: 'a'} | 67
          {key: {_fts: 1}, name: 'a'} | 67
          {key: {a: 1}, name: 'a', weights: {a: 1}} | 67
          {key: {a: 1}, name: 'a', v: 1.5} | 2
          {key: {a: 1}, name: 'a', hidden: 1} | 14
          {key: {a: 1}, name: 'a', storageEngine: {}} | 67
          {key: {a: 1}, name: 'a', storageEngine: {wiredTiger: {}}} | 72
          {key: {a: 1}, name: 'a', unique: true, prepareUnique: true} | 67
          {key: {a: 1}, name: 'a', clustered: false} | 6492800
          {key: {_id: -1}, name: 'a'} | 2
          {key: {_id: 1}, name: 'a', unique: true} | 197
          {key: {_id: 1}, name: 'a', expireAfterSeconds: 1} | 197
          {key: {_id: 1}, name: 'a', hidden: true} | 2
          {key: {a: 1}, name: 'a', expireAfterSeconds: -1} | 67
          {key: {a: 1}, name: 'a', expireAfterSeconds: 2147483648} | 67
          {key: {a: 1}, name: 'a', expireAfterSeconds: 'x'} | 67
          {key: {a: 1}, name: 'a', expireAfterSeconds: null} | 67
          {key: {a: 1}, name: 'a', expireAfterSeconds: NaN} | 67
          {key: {a: 1, b: 1}, name: 'a', expireAfterSeconds: 1} | 67
          {key: {a: 'hashed', b: 'hashed'}, name: 'a'} | 31303
          {key: {a: 'hashed'}, name: 'a', unique: true} | 16764
          {key: {a: 'hashed', 'b.$**': 1}, name: 'a'} | 67
          {key: {'b.$**': 1, a: 'hashed'}, name: 'a'} | 67
          {key: {'$**': 'wildcard'}, name: 'a'} | 67
          {key: {'$**': 'hashed'}, name: 'a'} | 67
          {key: {'$**': 0}, name: 'a'} | 67
          {key: {'a.$**.b': 1}, name: 'a'} | 67
          {key: {'$**': 1}, name: 'a', unique: true} | 67
          {key: {'$**': 1}, name: 'a', sparse: true} | 67
          {key: {'$**': 1}, name: 'a', expireAfterSeconds: 1} | 67
          {key: {'$**': 1}, name: 'a', v: 1} | 67
          {key: {'$**': 1, b: 1}, name: 'a'} | 67
          {key: {'a.$**': 1, 'b.$**': 1}, name: 'a'} | 7246201
          {key: {'a.$**': 1, 'a.b': 1}, name: 'a'} | 7246204
          {key: {'$**': 1, b: 1}, name: 'a', wildcardProjection: {b: 1}} | 7246208
          {key: {'$**': 1, b: 1}, name: 'a', wildcardProjection: {c: 0}} | 7246209
          {key: {'$**': 1}, name: 'a', wildcardProjection: {}} | 9
          {key: {'$**': 1}, name: 'a', wildcardProjection: 1} | 14
          {key: {'$**': 1}, name: 'a', wildcardProjection: {a: 1, b: 0}} | 31254
          {key: {'a.$**': 1}, name: 'a', wildcardProjection: {a: 1}} | 9
          {key: {a: 1}, name: 'a', wildcardProjection: {a: 1}} | 2
          {key: {a: 1}, name: 'a', partialFilterExpression: 1} | 14
          {key: {a: 1}, name: 'a', partialFilterExpression: {a: 1}, sparse: true} | 67
          {key: {a: 1}, name: 'a', partialFilterExpression: {a: {$ne: 1}}} | 67
          {key: {a: 1}, name: 'a', partialFilterExpression: {a: {$exists: false}}} | 67
          {key: {a: 1}, name: 'a', partialFilterExpression: {a: {$regex: 'x'}}} | 67
          {key: {a: 1}, name: 'a', partialFilterExpression: {a: {$x: 1}}} | 2
          {key: {_id: 1}, name: 'a', partialFilterExpression: {a: 1}} | 197
          {key: {a: 1}, name: 'a', collation: {locale: 'xx'}} | 2
          {key: {a: 1}, name: 'a', collation: {locale: 'de', strength: 9}} | 2
          {key: {a: 1}, name: 'a', collation: {locale: 'de', blah: 1}} | 40415
          {key: {a: 1}, name: 'a', collation: {locale: 'de', version: 'x'}} | 161
          {key: {a: 1}, name: 'a', collation: {locale: 'de'}, v: 1} | 67
          {key: 1, name: 'a'} | 14
          {key: {a: 1}, name: 1} | 14
          {key: {a: 1}, name: 'a', unique: 'x'} | 14
          """)
  void badSpecification(String spec, int code) {
    assertCode(failCreate(spec), code);
    assertThat(batch(SERVER.run("{listCollections: 1, filter: {name: 'c'}}")))
        .as("the collection is not made for nothing")
        .isEmpty();
  }

  @Test
  void otherErrors() {
    assertCode(failCreate(), 2);
    assertCode(
        SERVER.fail("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}], commitQuorum: 1}"),
        2);
  }

  @Test
  void limits() {
    String fields =
        IntStream.range(0, 33).mapToObj(i -> "f" + i + ": 1").collect(Collectors.joining(", "));
    assertCode(failCreate("{key: {" + fields + "}, name: 'many'}"), 13103);
    String[] specs =
        IntStream.range(0, 63)
            .mapToObj(i -> "{key: {f" + i + ": 1}, name: 'f" + i + "'}")
            .toArray(String[]::new);
    assertThat(number(create(specs), "numIndexesAfter")).isEqualTo(64);
    assertCode(failCreate("{key: {g: 1}, name: 'g'}"), 67);
  }

  @Test
  void uniqueIndexOverDuplicates() {
    SERVER.run("{insert: 'c', documents: [{_id: 1, a: 5}, {_id: 2, a: 5}]}");
    BsonDocument reply = failCreate("{key: {a: 1}, name: 'a', unique: true}");
    assertCode(reply, 11000);
    assertThat(reply.getString("errmsg").getValue()).contains("E11000", "test.c", "a: 5");
    assertThat(reply.getDocument("keyValue").toJson()).isEqualTo("{\"a\": 5}");
    assertThat(names()).containsExactly("_id_");
  }

  @Test
  void duplicateKeyOnInsert() {
    create("{key: {a: 1, b: -1}, name: 'ab', unique: true}");
    SERVER.run("{insert: 'c', documents: [{a: 1, b: 'x'}]}");
    BsonDocument error =
        SERVER
            .run("{insert: 'c', documents: [{a: 1, b: 'x'}]}")
            .getArray("writeErrors")
            .get(0)
            .asDocument();
    assertThat(error.getInt32("code").getValue()).isEqualTo(11000);
    assertThat(error.getString("errmsg").getValue())
        .isEqualTo(
            "E11000 duplicate key error collection: test.c index: ab dup key: { a: 1, b: \"x\" }");
    assertThat(error.getDocument("keyPattern").toJson()).isEqualTo("{\"a\": 1, \"b\": -1}");
    assertThat(error.getDocument("keyValue").toJson()).isEqualTo("{\"a\": 1, \"b\": \"x\"}");
  }

  @Test
  void dropForms() {
    create(
        "{key: {a: 1}, name: 'a'}",
        "{key: {b: 1}, name: 'b'}",
        "{key: {c: 1}, name: 'c'}",
        "{key: {d: 1}, name: 'd'}",
        "{key: {e: -1}, name: 'e'}");
    assertThat(number(SERVER.run("{dropIndexes: 'c', index: 'a'}"), "nIndexesWas")).isEqualTo(6);
    assertThat(number(SERVER.run("{dropIndexes: 'c', index: ['b', 'c']}"), "nIndexesWas"))
        .isEqualTo(5);
    assertThat(number(SERVER.run("{deleteIndexes: 'c', index: {e: -1}}"), "nIndexesWas"))
        .isEqualTo(3);
    assertThat(names()).containsExactly("_id_", "d");
    BsonDocument all = SERVER.run("{dropIndexes: 'c', index: '*'}");
    assertThat(all.getString("msg").getValue()).isEqualTo("non-_id indexes dropped for collection");
    assertThat(names()).containsExactly("_id_");
  }

  @Test
  void dropErrors() {
    create("{key: {a: 1}, name: 'a'}");
    assertError(
        SERVER.fail("{dropIndexes: 'c', index: 'nosuch'}"),
        27,
        "index not found with name [nosuch]");
    assertError(
        SERVER.fail("{dropIndexes: 'c', index: {z: 1}}"),
        27,
        "can't find index with key: { z: 1 }");
    assertCode(SERVER.fail("{dropIndexes: 'c', index: ['a', 'nosuch']}"), 27);
    assertThat(names()).as("none of them is dropped then").contains("a");
    assertError(SERVER.fail("{dropIndexes: 'c', index: '_id_'}"), 72, "cannot drop _id index");
    assertError(SERVER.fail("{dropIndexes: 'c', index: {_id: 1}}"), 72, "cannot drop _id index");
    assertError(SERVER.fail("{dropIndexes: 'nosuch', index: 'a'}"), 26, "ns not found test.nosuch");
    assertCode(SERVER.fail("{dropIndexes: 'c', index: 5}"), 14);
    assertCode(SERVER.fail("{dropIndexes: 'c', index: [5]}"), 14);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hint: 'nosuch'", "hint: {nosuch: 1}"})
  void hintThatDoesNotExist(String hint) {
    create("{key: {a: 1}, name: 'a'}");
    assertCode(SERVER.fail("{find: 'c', " + hint + "}"), 2);
    assertCode(SERVER.fail("{count: 'c', query: {a: 1}, " + hint + "}"), 2);
    assertOk(SERVER.run("{find: 'c', hint: 'a'}"));
    assertCode(SERVER.fail("{find: 'c', hint: 5}"), 9);
  }
}
