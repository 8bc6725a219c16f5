package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Creating, listing, renaming, measuring and dropping collections and databases. */
class CatalogCommandsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void dropAll() {
    SERVER.run("{dropDatabase: 1}");
    SERVER.run("other", "{dropDatabase: 1}");
  }

  private static List<String> names(BsonDocument reply) {
    return batch(reply).stream().map(d -> d.asDocument().getString("name").getValue()).toList();
  }

  private static int count(String database, String collection) {
    return SERVER.run(database, "{count: '" + collection + "'}").getInt32("n").getValue();
  }

  @Test
  void create() {
    assertThat(SERVER.run("{create: 'c'}").keySet()).containsExactly("ok");
    assertOk(SERVER.run("{create: 'c'}"));
    assertCode(SERVER.fail("{create: 'c', validator: {a: 1}}"), 48);
    assertCode(SERVER.fail("{create: 'd', timeseries: {timeField: 't'}}"), 238);
    assertOk(SERVER.run("{create: 'e', collation: {locale: 'simple'}, storageEngine: {x: {}}}"));
  }

  @Test
  void listCollections() {
    SERVER.run("{create: 'b', validator: {a: 1}}");
    SERVER.run("{create: 'a', capped: true, size: 4096}");
    SERVER.run("other", "{create: 'z'}");
    BsonDocument reply = SERVER.run("{listCollections: 1}");
    assertThat(names(reply)).containsExactlyInAnyOrder("a", "b");
    assertThat(reply.getDocument("cursor").getString("ns").getValue())
        .isEqualTo("test.$cmd.listCollections");
    BsonDocument entry =
        batch(SERVER.run("{listCollections: 1, filter: {name: 'b'}}")).getFirst().asDocument();
    assertThat(entry.keySet()).containsExactly("name", "type", "options", "info", "idIndex");
    assertThat(entry.getString("type").getValue()).isEqualTo("collection");
    assertThat(entry.getDocument("info").keySet()).containsExactly("readOnly", "uuid");
    assertThat(entry.getDocument("idIndex").toJson())
        .isEqualTo("{\"v\": 2, \"key\": {\"_id\": 1}, \"name\": \"_id_\"}");
    assertThat(entry.getDocument("options").toJson()).isEqualTo("{\"validator\": {\"a\": 1}}");
  }

  @Test
  void listCollectionsFilterAndNameOnly() {
    SERVER.run("{create: 'one'}");
    SERVER.run("{create: 'two', capped: true, size: 4096}");
    assertThat(names(SERVER.run("{listCollections: 1, filter: {'options.capped': true}}")))
        .containsExactly("two");
    assertThat(names(SERVER.run("{listCollections: 1, filter: {name: /^o/}}")))
        .containsExactly("one");
    for (BsonValue entry : batch(SERVER.run("{listCollections: 1, nameOnly: true}"))) {
      assertThat(entry.asDocument().keySet()).containsExactly("name", "type");
    }
    assertThat(
            names(
                SERVER.run(
                    "{listCollections: 1, nameOnly: true, authorizedCollections: true,"
                        + " filter: {'options.capped': true}}")))
        .containsExactly("two");
    assertThat(names(SERVER.run("nosuchdatabase", "{listCollections: 1}"))).isEmpty();
    assertCode(SERVER.fail("{listCollections: 1, filter: {$nosuch: 1}}"), 2);
  }

  @Test
  void listDatabases() {
    SERVER.run("{insert: 'c', documents: [{a: 1}]}");
    SERVER.run("other", "{insert: 'c', documents: [{a: 1}]}");
    BsonDocument reply = SERVER.admin("{listDatabases: 1}");
    assertThat(reply).containsKeys("databases", "totalSize", "totalSizeMb");
    BsonDocument first = reply.getArray("databases").get(0).asDocument();
    assertThat(first.keySet()).containsExactly("name", "sizeOnDisk", "empty");
    BsonDocument named =
        SERVER.admin("{listDatabases: 1, nameOnly: true, filter: {name: 'other'}}");
    assertThat(named.getArray("databases").toString()).contains("other").doesNotContain("test");
    assertThat(named).doesNotContainKeys("totalSize", "totalSizeMb");
    assertThat(named.getArray("databases").get(0).asDocument().keySet()).containsExactly("name");
  }

  @Test
  void dropCollection() {
    SERVER.run("{insert: 'c', documents: [{a: 1}]}");
    SERVER.run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}]}");
    BsonDocument reply = SERVER.run("{drop: 'c'}");
    assertThat(number(reply, "nIndexesWas")).isEqualTo(2);
    assertThat(reply.getString("ns").getValue()).isEqualTo("test.c");
    assertOk(SERVER.run("{drop: 'c'}"));
    assertThat(count("test", "c")).isZero();
  }

  @Test
  void dropDatabase() {
    SERVER.run("{insert: 'c', documents: [{a: 1}]}");
    assertThat(SERVER.run("{dropDatabase: 1}").getString("dropped").getValue()).isEqualTo("test");
    assertThat(SERVER.run("{dropDatabase: 1}")).doesNotContainKey("dropped");
    assertThat(SERVER.admin("{listDatabases: 1, filter: {name: 'test'}}").getArray("databases"))
        .isEmpty();
  }

  @Test
  void rename() {
    SERVER.run("{insert: 'a', documents: [{x: 1}]}");
    SERVER.run("{createIndexes: 'a', indexes: [{key: {x: 1}, name: 'x', unique: true}]}");
    assertOk(SERVER.admin("{renameCollection: 'test.a', to: 'test.b'}"));
    assertThat(names(SERVER.run("{listCollections: 1}"))).containsExactly("b");
    assertThat(count("test", "b")).isEqualTo(1);
    assertThat(batch(SERVER.run("{listIndexes: 'b'}"))).hasSize(2);
    assertThat(SERVER.run("{insert: 'b', documents: [{x: 1}]}")).containsKey("writeErrors");
  }

  @Test
  void renameOntoAnother() {
    SERVER.run("{insert: 'a', documents: [{x: 1}]}");
    SERVER.run("{insert: 'b', documents: [{x: 1}, {x: 2}]}");
    assertError(
        SERVER.fail("admin", "{renameCollection: 'test.a', to: 'test.b'}"),
        48,
        "target namespace exists");
    assertOk(SERVER.admin("{renameCollection: 'test.a', to: 'test.b', dropTarget: true}"));
    assertThat(count("test", "b")).isEqualTo(1);
    assertThat(count("test", "a")).isZero();
  }

  @Test
  void renameIntoAnotherDatabase() {
    SERVER.run("{insert: 'a', documents: [{x: 1}]}");
    assertOk(SERVER.admin("{renameCollection: 'test.a', to: 'other.a'}"));
    assertThat(count("other", "a")).isEqualTo(1);
    assertThat(count("test", "a")).isZero();
  }

  @Test
  void renameErrors() {
    assertError(
        SERVER.fail("admin", "{renameCollection: 'test.nosuch', to: 'test.b'}"),
        26,
        "Source collection test.nosuch does not exist");
    SERVER.run("{create: 'a'}");
    assertError(
        SERVER.fail("admin", "{renameCollection: 'test.a', to: 'test.a'}"),
        20,
        "Can't rename a collection to itself");
    assertCode(SERVER.fail("admin", "{renameCollection: 1, to: 'test.a'}"), 14);
  }

  @Test
  void collStats() {
    SERVER.run("{insert: 'c', documents: [{_id: 1, s: '" + "x".repeat(4000) + "'}]}");
    BsonDocument stats = SERVER.run("{collStats: 'c'}");
    assertThat(stats.getString("ns").getValue()).isEqualTo("test.c");
    assertThat(number(stats, "count")).isEqualTo(1);
    assertThat(number(stats, "size")).isBetween(4000L, 4100L);
    assertThat(number(stats, "avgObjSize")).isEqualTo(number(stats, "size"));
    assertThat(number(stats, "nindexes")).isEqualTo(1);
    assertThat(stats.getDocument("indexSizes").keySet()).containsExactly("_id_");
    assertThat(stats)
        .containsKeys("storageSize", "totalIndexSize", "totalSize", "capped", "scaleFactor");
    BsonDocument scaled = SERVER.run("{collStats: 'c', scale: 1024}");
    assertThat(number(scaled, "size")).isEqualTo(3);
    assertThat(number(scaled, "avgObjSize"))
        .as("not scaled")
        .isEqualTo(number(stats, "avgObjSize"));
    assertThat(number(scaled, "scaleFactor")).isEqualTo(1024);
    BsonDocument nothing = SERVER.run("{collStats: 'nosuch'}");
    assertThat(number(nothing, "count")).isZero();
    assertThat(number(nothing, "nindexes")).isZero();
  }

  @Test
  void dbStats() {
    SERVER.run("{insert: 'c', documents: [{_id: 1, s: '" + "x".repeat(4000) + "'}]}");
    SERVER.run("{create: 'd'}");
    BsonDocument stats = SERVER.run("{dbStats: 1}");
    assertThat(stats.getString("db").getValue()).isEqualTo("test");
    assertThat(number(stats, "collections")).isEqualTo(2);
    assertThat(number(stats, "objects")).isEqualTo(1);
    assertThat(number(stats, "indexes")).isEqualTo(2);
    assertThat(stats)
        .containsKeys(
            "views",
            "avgObjSize",
            "dataSize",
            "storageSize",
            "indexSize",
            "totalSize",
            "fsUsedSize",
            "fsTotalSize",
            "scaleFactor");
    BsonDocument scaled = SERVER.run("{dbStats: 1, scale: 1024}");
    assertThat(scaled.getDouble("dataSize").getValue())
        .isEqualTo(stats.getDouble("dataSize").getValue() / 1024);
    assertThat(number(SERVER.run("nosuchdatabase", "{dbStats: 1}"), "collections")).isZero();
    assertOk(SERVER.run("{dbstats: 1}"));
  }

  @Test
  void dataSizeValidateAndCompact() {
    SERVER.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");
    BsonDocument size = SERVER.run("{dataSize: 'test.c'}");
    assertThat(number(size, "numObjects")).isEqualTo(2);
    assertThat(number(size, "size")).isEqualTo(28);
    BsonDocument valid = SERVER.run("{validate: 'c', full: true}");
    assertThat(valid.getBoolean("valid").getValue()).isTrue();
    assertThat(number(valid, "nrecords")).isEqualTo(2);
    assertThat(number(valid, "keysPerIndex._id_")).isEqualTo(2);
    assertThat(valid)
        .containsKeys("ns", "nIndexes", "indexDetails", "warnings", "errors", "nInvalidDocuments");
    assertCode(SERVER.fail("{validate: 'nosuch'}"), 26);
    assertThat(SERVER.run("{compact: 'c'}")).containsKey("bytesFreed");
    assertError(SERVER.fail("{compact: 'nosuch'}"), 26, "collection does not exist");
  }

  @Test
  void dataSizeOfARange() {
    SERVER.run("{create: 'ranges'}");
    SERVER.run(
        "{createIndexes: 'ranges', indexes: [{key: {a: 1, b: -1}, name: 'ab'},"
            + " {key: {h: 'hashed'}, name: 'h'}]}");
    SERVER.run(
        "{insert: 'ranges', documents: [{_id: 1, a: 1, b: 1}, {_id: 2, a: 1, b: 2, c: 'xyz'},"
            + " {_id: 3, a: 2, b: 1}, {_id: 4, a: 3, b: 1}]}");
    String range = "{dataSize: 'test.ranges', keyPattern: {a: 1}, ";
    BsonDocument size = SERVER.run(range + "min: {a: 1}, max: {a: 2}}");
    assertThat(number(size, "numObjects")).isEqualTo(2);
    assertThat(number(size, "size")).isEqualTo(28 + 39);
    assertThat(size.getBoolean("estimate").getValue()).isFalse();
    BsonDocument inferred = SERVER.run("{dataSize: 'test.ranges', min: {a: 2}, max: {a: 9}}");
    assertThat(number(inferred, "numObjects")).isEqualTo(2);
    BsonDocument estimated = SERVER.run(range + "min: {a: 2}, max: {a: 3}, estimate: true}");
    assertThat(number(estimated, "size")).isEqualTo((3 * 28 + 39) / 4);
    assertThat(estimated.getBoolean("estimate").getValue()).isTrue();
    BsonDocument limited = SERVER.run(range + "min: {a: 0}, max: {a: 9}, maxObjects: 1}");
    assertThat(limited.getBoolean("maxReached").getValue()).isTrue();
    assertThat(number(limited, "numObjects")).isEqualTo(2);
    assertThat(number(SERVER.run(range + "min: {a: 5}, max: {a: 5}}"), "size")).isZero();
    BsonDocument all =
        SERVER.run(
            "{dataSize: 'test.ranges', keyPattern: {h: 'hashed'}, min: {h: {$minKey: 1}},"
                + " max: {h: {$maxKey: 1}}}");
    assertThat(number(all, "numObjects")).isEqualTo(4);
    assertError(SERVER.fail(range + "min: {a: 1}}"), 2, "Only one of min or max specified");
    assertError(
        SERVER.fail("{dataSize: 'test.ranges', keyPattern: {c: 1}, min: {c: 1}, max: {c: 2}}"),
        96,
        "Couldn't find valid index containing key pattern");
  }

  @Test
  void collMod() {
    SERVER.run("{create: 'c'}");
    assertOk(SERVER.run("{collMod: 'c'}"));
    assertError(SERVER.fail("{collMod: 'nosuch'}"), 26, "ns does not exist: test.nosuch");
    assertCode(SERVER.fail("{collMod: 'c', viewOn: 'x'}"), 72);
    assertCode(SERVER.fail("{collMod: 'c', expireAfterSeconds: 5}"), 72);
  }
}
