package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.range;
import static dev.wisent.cluster.shard.TestShard.unsharded;
import static dev.wisent.cluster.shard.TestShard.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Writes of routers to a shard that owns the keys from 0 to 10, and from 20 on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnedWritesTest {
  private TestShard shard;
  private MongoCollection<Document> direct;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    shard.identify();
    shard.ownDatabase(1);
    shard.own(
        "test.c",
        new Document("k", 1),
        1,
        range(new Document("k", 0), new Document("k", 10)),
        range(new Document("k", 20), new Document("k", new MaxKey())));
    direct = shard.client().getDatabase("test").getCollection("c");
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  @BeforeEach
  void fill() {
    direct.deleteMany(new Document());
    direct.insertOne(new Document("_id", "own").append("k", 5));
    direct.insertOne(new Document("_id", "orphan").append("k", 15));
  }

  private Document routed(String json) {
    return shard.routed(Document.parse(json), version(1, 0));
  }

  private int code(String json) {
    return routed(json).getList("writeErrors", Document.class).getFirst().getInteger("code");
  }

  private String update(String query, String update, String more) {
    return "{update: 'c', updates: [{q: " + query + ", u: " + update + more + "}]}";
  }

  private Document inTransaction(String json) {
    try (var session = shard.client().startSession()) {
      session.startTransaction();
      Document reply =
          shard
              .client()
              .getDatabase("test")
              .runCommand(session, Document.parse(json).append("shardVersion", version(1, 0)));
      if (!reply.containsKey("writeErrors")) {
        session.commitTransaction();
      }
      return reply;
    }
  }

  @Test
  void onlyOwnedKeysAreInserted() {
    Document reply =
        routed(
            "{insert: 'c', ordered: false, documents: [{_id: 1, k: 0}, {_id: 2, k: 10}, {_id: 3},"
                + " {_id: 4, k: 20}, {_id: 5, k: []}]}");
    assertThat(reply).containsEntry("n", 2);
    assertThat(reply.getList("writeErrors", Document.class).stream().map(e -> e.get("code")))
        .containsExactly(13388, 13388, 61);
    direct.insertOne(new Document("k", new MaxKey()));
    assertThat(routed("{insert: 'c', documents: [{k: {$maxKey: 1}}]}")).containsEntry("n", 1);
    assertThat(code("{insert: 'c', documents: [{k: {$minKey: 1}}]}")).isEqualTo(13388);
    direct.insertOne(new Document("k", new MinKey()));
  }

  @Test
  void orphansAreNotChanged() {
    for (String query : new String[] {"{_id: 'orphan'}", "{k: 15}", "{}"}) {
      routed(update(query, "{$set: {seen: 1}}", ", multi: true"));
      routed("{delete: 'c', deletes: [{q: " + query + ", limit: 0}]}");
    }
    assertThat(direct.find(new Document("_id", "orphan")).first())
        .isEqualTo(new Document("_id", "orphan").append("k", 15));
    assertThat(direct.countDocuments()).isEqualTo(1);
    assertThat(routed("{findAndModify: 'c', query: {_id: 'orphan'}, remove: true}").get("value"))
        .isNull();
  }

  @Test
  void shardKeysChangeByTheRules() {
    assertThat(code(update("{k: 5}", "{$set: {k: 6}}", ", multi: true"))).isEqualTo(72);
    assertThat(code(update("{_id: 'own'}", "{$set: {k: 6}}", ""))).isEqualTo(20);
    assertThat(code(update("{k: 5}", "{$set: {k: [6]}}", ""))).isEqualTo(54);
    assertThat(inTransaction(update("{k: 5}", "{$set: {k: 6}}", ""))).containsEntry("nModified", 1);
    Document moved = inTransaction(update("{k: 6}", "{$set: {k: 15}}", ""));
    assertThat(moved.getList("writeErrors", Document.class).getFirst()).containsEntry("code", 283);
    assertThat(direct.find(new Document("_id", "own")).first()).containsEntry("k", 6);
  }

  @Test
  void upsertsInsertOwnedKeys() {
    assertThat(code(update("{k: 12}", "{$set: {a: 1}}", ", upsert: true"))).isEqualTo(13388);
    assertThat(routed(update("{k: 7}", "{$set: {a: 1}}", ", upsert: true"))).containsEntry("n", 1);
  }

  /**
   * What takes the place of a collection, or is merged into one, is checked as other writes are.
   */
  @Test
  void pipelinesDoNotWriteToACollectionThatHasBecomeSharded() {
    shard.client().getDatabase("test").getCollection("source").insertOne(new Document("k", 15));
    for (String into : List.of("{$out: 'c'}", "{$merge: 'c'}")) {
      Document command =
          Document.parse("{aggregate: 'source', pipeline: [" + into + "], cursor: {}}");
      BsonDocument error = failure(() -> shard.routed(command, unsharded()));
      assertThat(error.getString("codeName").getValue()).isEqualTo("StaleConfig");
      assertThat(error.getString("ns").getValue()).isEqualTo("test.c");
    }
    assertThat(direct.countDocuments()).isEqualTo(2);
    assertThat(shard.client().getDatabase("test").listCollectionNames())
        .noneMatch(name -> name.startsWith("tmp."));
  }

  /** Rule H5: what a transaction has written must be owned at its commit, too. */
  @Test
  void aTransactionDoesNotCommitWhatHasGoneSinceItsStatement() {
    Document key = new Document("k", 1);
    Document least = new Document("k", new MinKey());
    shard.own("test.flip", key, 1, range(least, new Document("k", new MaxKey())));
    MongoDatabase database = shard.client().getDatabase("test");
    MongoCollection<Document> flip = database.getCollection("flip");
    flip.insertOne(new Document("_id", "before").append("k", 5));
    try (var session = shard.client().startSession()) {
      session.startTransaction();
      database.runCommand(
          session,
          Document.parse("{insert: 'flip', documents: [{_id: 'lost', k: 15}]}")
              .append("shardVersion", version(1, 0)));
      shard.own("test.flip", key, 2, range(least, new Document("k", 10)));
      assertThatThrownBy(session::commitTransaction)
          .isInstanceOfSatisfying(
              MongoException.class,
              e -> {
                assertThat(e.getCode()).isEqualTo(112);
                assertThat(e.hasErrorLabel("TransientTransactionError")).isTrue();
              });
    }
    assertThat(flip.find().map(each -> each.get("_id"))).containsExactly("before");
  }

  /** Rule H14: what was changed is found by its key, as it was before the change. */
  @Test
  void entriesOfTheOplogHaveTheWholeKey() {
    try (var stream = direct.watch().cursor()) {
      direct.insertOne(new Document("_id", "i").append("k", 1).append("a", 1));
      inTransaction(update("{k: 1}", "{$set: {k: 2}}", ""));
      routed(update("{_id: 'i'}", "{$set: {a: 3}}", ""));
      direct.deleteOne(new Document("_id", "i"));
      for (int k : new int[] {1, 1, 2, 2}) {
        assertThat(Document.parse(stream.next().getDocumentKey().toJson()))
            .isEqualTo(new Document("k", k).append("_id", "i"));
      }
    }
    Document entry =
        shard
            .client()
            .getDatabase("local")
            .getCollection("oplog.rs")
            .find(new Document("ns", "test.c").append("op", "d").append("o._id", "i"))
            .first();
    assertThat(entry.get("o")).isEqualTo(new Document("k", 2).append("_id", "i"));
  }
}
