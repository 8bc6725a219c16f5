package dev.wisent.server.command.collection;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.batch;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every kind of index through the driver. */
class IndexKindsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private MongoCollection<BsonDocument> collection;

  @BeforeEach
  void empty() {
    collection = SERVER.fresh("c");
  }

  private void insert(String... documents) {
    for (String document : documents) {
      collection.insertOne(BsonDocument.parse(document));
    }
  }

  private void assertWriteFails(String document, int code) {
    assertThatThrownBy(() -> insert(document))
        .isInstanceOfSatisfying(
            MongoWriteException.class, e -> assertThat(e.getError().getCode()).isEqualTo(code));
  }

  private List<Integer> find(String filter) {
    var ids = new ArrayList<Integer>();
    collection
        .find(BsonDocument.parse(filter))
        .sort(BsonDocument.parse("{_id: 1}"))
        .forEach(document -> ids.add(document.getInt32("_id").getValue()));
    return ids;
  }

  /** How many entries an index has; the collection must be in order. */
  private static long entries(String index) {
    BsonDocument reply = SERVER.run("{validate: 'c'}");
    assertThat(reply.getBoolean("valid").getValue()).as("%s", reply).isTrue();
    return reply.getDocument("keysPerIndex").getNumber(index).longValue();
  }

  private static BsonDocument spec(String name) {
    return batch(SERVER.run("{listIndexes: 'c'}")).stream()
        .map(value -> value.asDocument())
        .filter(spec -> spec.getString("name").getValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void hashed() {
    assertThat(collection.createIndex(Indexes.hashed("a"))).isEqualTo("a_hashed");
    insert(
        "{_id: 1, a: 1}",
        "{_id: 2, a: 1.5}",
        "{_id: 3}",
        "{_id: 4, a: null}",
        "{_id: 5, a: {b: 1}}");
    assertWriteFails("{_id: 6, a: [1]}", 16766);
    assertThat(find("{a: 1}")).containsExactly(1);
    assertThat(find("{a: 1.5}")).containsExactly(2);
    assertThat(find("{a: null}")).containsExactly(3, 4);
    assertThat(find("{a: {b: 1}}")).containsExactly(5);
    assertThat(find("{a: {$gt: 1}}")).containsExactly(2);
    assertThat(find("{a: {$in: [1, {b: 1}]}}")).containsExactly(1, 5);
    assertThat(entries("a_hashed")).isEqualTo(5);
    assertThatThrownBy(
            () ->
                collection.updateOne(
                    BsonDocument.parse("{_id: 1}"), BsonDocument.parse("{$set: {a: []}}")))
        .hasMessageContaining("hashed indexes do not currently support array values");
    assertThat(entries("a_hashed")).isEqualTo(5);
  }

  @Test
  void hashedIdentifierIsAnotherIndex() {
    insert("{_id: 1}");
    collection.createIndex(Indexes.hashed("_id"));
    insert("{_id: 2}");
    assertThat(find("{_id: 2}")).containsExactly(2);
    assertThat(entries("_id_hashed")).isEqualTo(2);
    assertThat(entries("_id_")).isEqualTo(2);
    collection.dropIndex(Indexes.hashed("_id"));
  }

  @Test
  void compoundHashed() {
    collection.createIndex(
        Indexes.compoundIndex(
            Indexes.ascending("a"), Indexes.hashed("b"), Indexes.descending("c")));
    insert("{_id: 1, a: 1, b: 2, c: 3}", "{_id: 2, a: 1, b: 3, c: 3}");
    assertThat(find("{a: 1, b: 2}")).containsExactly(1);
    assertThat(find("{a: 1, b: {$gte: 2}}")).containsExactly(1, 2);
    assertWriteFails("{a: [1]}", 16766);
    assertThat(entries("a_1_b_hashed_c_-1")).isEqualTo(2);
  }

  @Test
  void hashedIndexOverArrays() {
    insert("{_id: 1, a: [1]}");
    assertThatThrownBy(() -> collection.createIndex(Indexes.hashed("a")))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(16766));
  }

  @Test
  void wildcard() {
    collection.createIndex(Indexes.ascending("$**"));
    insert(
        "{_id: 1, a: 1, b: {c: 2}}",
        "{_id: 2, a: [1, 2, {d: 3}]}",
        "{_id: 3, a: {}, b: []}",
        "{_id: 4, a: [[1]]}",
        "{_id: 5}");
    assertThat(entries("$**_1")).isEqualTo(2 + 3 + 2 + 1);
    assertThat(find("{a: 1}")).containsExactly(1, 2);
    assertThat(find("{'b.c': {$gt: 1}}")).containsExactly(1);
    assertThat(find("{'a.d': 3}")).containsExactly(2);
    assertThat(find("{a: [1]}")).containsExactly(4);
    assertThat(find("{a: {}}")).containsExactly(3);
    assertThat(find("{b: []}")).containsExactly(3);
    assertThat(find("{'a.2.d': 3}")).containsExactly(2);
    assertThat(find("{a: {$exists: true}}")).containsExactly(1, 2, 3, 4);
    assertThat(find("{a: null}")).containsExactly(5);
    assertThat(find("{a: {$ne: 1}}")).containsExactly(3, 4, 5);
    collection.updateMany(new Document(), BsonDocument.parse("{$unset: {a: 1}}"));
    assertThat(entries("$**_1")).isEqualTo(2);
  }

  @Test
  void wildcardWithProjection() {
    collection.createIndex(
        Indexes.ascending("$**"),
        new IndexOptions().wildcardProjection(BsonDocument.parse("{a: 1, 'b.c': 1}")));
    assertThat(spec("$**_1").getDocument("wildcardProjection").toJson())
        .isEqualTo("{\"a\": 1, \"b.c\": 1}");
    insert("{_id: 1, a: 1, b: {c: 2, d: 3}, e: 4}");
    assertThat(entries("$**_1")).isEqualTo(2);
    assertThat(find("{e: 4, 'b.d': 3}")).containsExactly(1);
    // Beside a path that is in, yet it makes an empty document of b.
    insert("{_id: 2}");
    collection.updateOne(BsonDocument.parse("{_id: 2}"), BsonDocument.parse("{$set: {'b.d': 1}}"));
    assertThat(entries("$**_1")).isEqualTo(3);
  }

  @Test
  void compoundWildcard() {
    collection.createIndex(
        Indexes.compoundIndex(Indexes.ascending("a"), Indexes.ascending("b.$**")));
    insert("{_id: 1, a: 1, b: {c: 1, d: 2}}", "{_id: 2, a: 1}", "{_id: 3, z: 1}");
    assertThat(entries("a_1_b.$**_1")).isEqualTo(3);
    assertThat(find("{a: 1}")).containsExactly(1, 2);
    assertThat(find("{a: 1, 'b.c': 1}")).containsExactly(1);
    assertThat(find("{a: null}")).containsExactly(3);
    assertWriteFails("{a: [1]}", 7246301);
  }

  @Test
  void partial() {
    collection.createIndex(
        Indexes.ascending("a"),
        new IndexOptions()
            .unique(true)
            .partialFilterExpression(BsonDocument.parse("{b: {$gt: 5}}")));
    insert("{_id: 1, a: 1, b: 6}", "{_id: 2, a: 1, b: 1}", "{_id: 3, a: 1}");
    assertThat(entries("a_1")).isEqualTo(1);
    assertWriteFails("{_id: 4, a: 1, b: 7}", 11000);
    assertThat(find("{a: 1}")).containsExactly(1, 2, 3);
    assertThat(find("{a: 1, b: {$gt: 5}}")).containsExactly(1);
    assertThat(find("{a: 1, b: {$gt: 6}}")).isEmpty();
    assertThat(find("{a: 1, b: {$gte: 1}}")).containsExactly(1, 2);
    // In and out by a field that is not in the key.
    assertThatThrownBy(
            () ->
                collection.updateOne(
                    BsonDocument.parse("{_id: 2}"), BsonDocument.parse("{$set: {b: 9}}")))
        .isInstanceOf(MongoWriteException.class);
    collection.updateOne(BsonDocument.parse("{_id: 1}"), BsonDocument.parse("{$set: {b: 0}}"));
    assertThat(entries("a_1")).isZero();
    collection.updateOne(BsonDocument.parse("{_id: 2}"), BsonDocument.parse("{$inc: {b: 9}}"));
    assertThat(entries("a_1")).isEqualTo(1);
    // Another filter makes another index.
    collection.createIndex(
        Indexes.ascending("a"),
        new IndexOptions().name("other").partialFilterExpression(BsonDocument.parse("{b: 1}")));
    assertCode(SERVER.fail("{dropIndexes: 'c', index: {a: 1}}"), 181);
  }

  @Test
  void hidden() {
    collection.createIndex(Indexes.ascending("a"), new IndexOptions().hidden(true));
    assertThat(spec("a_1").getBoolean("hidden").getValue()).isTrue();
    insert("{_id: 1, a: 1}");
    assertThat(find("{a: 1}")).containsExactly(1);
    assertThat(entries("a_1")).isEqualTo(1);
    BsonDocument reply = SERVER.run("{collMod: 'c', index: {name: 'a_1', hidden: false}}");
    assertThat(reply.getBoolean("hidden_old").getValue()).isTrue();
    assertThat(reply.getBoolean("hidden_new").getValue()).isFalse();
    assertThat(spec("a_1")).doesNotContainKey("hidden");
    assertThat(SERVER.run("{collMod: 'c', index: {name: 'a_1', hidden: false}}"))
        .doesNotContainKey("hidden_new");
    // Being hidden makes no other index.
    assertThat(
            SERVER
                .run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1', hidden: true}]}")
                .getString("note")
                .getValue())
        .isEqualTo("all indexes already exist");
    assertError(
        SERVER.fail("{collMod: 'c', index: {name: '_id_', hidden: true}}"),
        2,
        "can't hide _id index");
  }

  @Test
  void toUnique() {
    collection.createIndex(Indexes.ascending("a"));
    insert("{_id: 1, a: 1}", "{_id: 2, a: 1}", "{_id: 3, a: 2}");
    assertCode(SERVER.fail("{collMod: 'c', index: {name: 'a_1', unique: true}}"), 72);
    BsonDocument reply = SERVER.run("{collMod: 'c', index: {name: 'a_1', prepareUnique: true}}");
    assertThat(reply.getBoolean("prepareUnique_old").getValue()).isFalse();
    assertThat(reply.getBoolean("prepareUnique_new").getValue()).isTrue();
    assertWriteFails("{_id: 4, a: 2}", 11000);
    // What shares a key already may stay, also through other changes.
    collection.updateOne(BsonDocument.parse("{_id: 1}"), BsonDocument.parse("{$set: {b: 1}}"));
    BsonDocument error = SERVER.fail("{collMod: 'c', index: {name: 'a_1', unique: true}}");
    assertCode(error, 359);
    assertThat(error.getArray("violations").get(0).asDocument().toJson())
        .isEqualTo("{\"ids\": [1, 2]}");
    assertCode(
        SERVER.fail("{collMod: 'c', index: {name: 'a_1', unique: true}, dryRun: true}"), 359);
    collection.deleteOne(BsonDocument.parse("{_id: 2}"));
    SERVER.run("{collMod: 'c', index: {name: 'a_1', unique: true}, dryRun: true}");
    assertThat(spec("a_1")).doesNotContainKey("unique");
    reply = SERVER.run("{collMod: 'c', index: {keyPattern: {a: 1}, unique: true}}");
    assertThat(reply.getBoolean("unique_new").getValue()).isTrue();
    assertThat(spec("a_1").getBoolean("unique").getValue()).isTrue();
    assertThat(spec("a_1")).doesNotContainKey("prepareUnique");
    assertWriteFails("{_id: 5, a: 2}", 11000);
    assertThat(entries("a_1")).isEqualTo(2);
    assertCode(SERVER.fail("{collMod: 'c', index: {name: 'a_1', unique: false}}"), 2);
  }

  @Test
  void collModErrors() {
    collection.createIndex(Indexes.ascending("a", "b"));
    String begin = "{collMod: 'c', index: ";
    assertCode(SERVER.fail(begin + "{name: 'nosuch', hidden: true}}"), 27);
    assertCode(SERVER.fail(begin + "{keyPattern: {z: 1}, hidden: true}}"), 27);
    assertCode(SERVER.fail(begin + "{hidden: true}}"), 72);
    assertCode(SERVER.fail(begin + "{name: 'a_1_b_1'}}"), 72);
    assertCode(SERVER.fail(begin + "{name: 'x', keyPattern: {a: 1}, hidden: true}}"), 72);
    assertCode(SERVER.fail(begin + "{name: 'a_1_b_1', expireAfterSeconds: 1}}"), 72);
    assertCode(SERVER.fail(begin + "{name: 'a_1_b_1', expireAfterSeconds: -1}}"), 72);
    assertCode(SERVER.fail(begin + "{name: 'a_1_b_1', hidden: true}, dryRun: true}"), 72);
    assertCode(SERVER.fail(begin + "{name: 'a_1_b_1', x: 1}}"), 40415);
  }

  @Test
  void equivalentIndexWithOtherOptions() {
    String create = "{createIndexes: 'c', indexes: [";
    SERVER.run(create + "{key: {a: 1}, name: 'a', expireAfterSeconds: 10}]}");
    assertCode(SERVER.fail(create + "{key: {a: 1}, name: 'a', expireAfterSeconds: 20}]}"), 85);
    assertCode(SERVER.fail(create + "{key: {a: 1}, name: 'b', expireAfterSeconds: 10}]}"), 85);
    assertCode(SERVER.fail(create + "{key: {a: 1}, name: 'b'}]}"), 85);
    assertCode(SERVER.fail(create + "{key: {a: 1}, name: 'a', sparse: true}]}"), 86);
    assertCode(SERVER.fail(create + "{key: {a: -1}, name: 'a'}]}"), 86);
  }

  @Test
  void ofTwoNamesForOneKeyOneWins() throws Exception {
    for (int round = 0; round < 10; round++) {
      collection = SERVER.fresh("c");
      var tasks = new ArrayList<Callable<Boolean>>();
      for (String name : List.of("x", "y", "z")) {
        tasks.add(
            () -> {
              try {
                collection.createIndex(Indexes.ascending("a"), new IndexOptions().name(name));
                return true;
              } catch (MongoCommandException e) {
                assertThat(e.getErrorCode()).isEqualTo(85);
                return false;
              }
            });
      }
      int made = 0;
      try (var threads = Executors.newFixedThreadPool(tasks.size())) {
        for (Future<Boolean> future : threads.invokeAll(tasks)) {
          made += future.get() ? 1 : 0;
        }
      }
      assertThat(made).isEqualTo(1);
      assertThat(batch(SERVER.run("{listIndexes: 'c'}"))).hasSize(2);
    }
  }

  @Test
  void reIndex() {
    collection.createIndex(Indexes.ascending("a"), new IndexOptions().unique(true));
    collection.createIndex(Indexes.ascending("$**"));
    insert("{_id: 1, a: [1, 2]}", "{_id: 2, a: 3}");
    BsonDocument reply = SERVER.run("{reIndex: 'c'}");
    assertThat(number(reply, "nIndexesWas")).isEqualTo(3);
    assertThat(number(reply, "nIndexes")).isEqualTo(3);
    assertThat(reply.getArray("indexes")).hasSize(3);
    assertThat(entries("a_1")).isEqualTo(3);
    assertThat(entries("$**_1")).isEqualTo(3);
    assertThat(find("{_id: 2}")).containsExactly(2);
    assertThat(find("{a: 2}")).containsExactly(1);
    assertWriteFails("{_id: 2}", 11000);
    assertWriteFails("{_id: 3, a: 3}", 11000);
    assertError(SERVER.fail("{reIndex: 'nosuch'}"), 26, "collection does not exist");
  }

  @Test
  void indexStats() {
    collection.createIndex(Indexes.hashed("a"));
    insert("{_id: 1, a: 1}");
    List<BsonDocument> stats =
        collection
            .aggregate(List.of(BsonDocument.parse("{$indexStats: {}}")), BsonDocument.class)
            .into(new ArrayList<>());
    assertThat(stats).hasSize(2);
    BsonDocument hashed = stats.getLast();
    assertThat(hashed.keySet()).containsExactly("name", "key", "host", "accesses", "spec");
    assertThat(hashed.getDocument("key").toJson()).isEqualTo("{\"a\": \"hashed\"}");
    assertThat(hashed.getDocument("accesses").keySet()).containsExactly("ops", "since");
  }

  @Test
  void onClusteredCollections() {
    collection.drop();
    SERVER.run("{create: 'c', clusteredIndex: {key: {_id: 1}, unique: true, name: 'k'}}");
    collection.createIndex(Indexes.ascending("a"));
    assertError(
        SERVER.fail("{dropIndexes: 'c', index: 'k'}"), 72, "cannot drop the clusteredIndex");
    String clustered =
        "{createIndexes: '%s', indexes:"
            + " [{key: {_id: 1}, name: 'k', unique: true, clustered: true}]}";
    assertThat(SERVER.run(clustered.formatted("c"))).containsKey("note");
    assertCode(SERVER.fail(clustered.formatted("plain")), 72);
  }
}
