package dev.wisent.cluster.shard;

import static dev.wisent.cluster.shard.TestShard.failure;
import static dev.wisent.cluster.shard.TestShard.range;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of a sharded collection, changed by a direct connection to the shard. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardKeyIndexRulesTest {
  private TestShard shard;
  private MongoDatabase database;
  private MongoCollection<Document> collection;

  @BeforeAll
  void start(@TempDir Path directory) {
    shard = new TestShard(directory, 1);
    shard.identify();
    shard.ownDatabase(1);
    database = shard.client().getDatabase("test");
    collection = database.getCollection("c");
    own("test.c", "{k: 1}");
    own("test.h", "{k: 'hashed'}");
  }

  private void own(String namespace, String key) {
    long bound = key.contains("hashed") ? 0L : 10L;
    shard.own(
        namespace,
        Document.parse(key),
        1,
        range(new Document("k", 0L), new Document("k", bound + 100)));
  }

  @AfterAll
  void stop() {
    shard.close();
  }

  @BeforeEach
  void index() {
    collection.drop();
    collection.createIndex(new Document("k", 1));
    collection.createIndex(new Document("a", 1));
  }

  private Document run(String json) {
    return database.runCommand(Document.parse(json));
  }

  private BsonDocument error(String json) {
    return failure(() -> run(json));
  }

  private List<String> names(String of) {
    var names = new ArrayList<String>();
    database.getCollection(of).listIndexes().forEach(index -> names.add(index.getString("name")));
    return names;
  }

  @Test
  void aUniqueIndexBeginsWithTheShardKey() {
    BsonDocument error =
        error("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'u', unique: true}]}");
    assertThat(error.getInt32("code").getValue()).isEqualTo(67);
    assertThat(error.getString("errmsg").getValue())
        .isEqualTo("cannot create unique index over { a: 1 } with shard key pattern { k: 1 }");
    run("{createIndexes: 'c', indexes: [{key: {k: 1, a: 1}, name: 'u', unique: true}]}");
    run("{collMod: 'c', index: {name: 'a_1', prepareUnique: true}}");
    assertThat(
            error("{collMod: 'c', index: {name: 'a_1', unique: true}}").getInt32("code").getValue())
        .isEqualTo(67);
  }

  @Test
  void theLastIndexForTheShardKeyStays() {
    for (String drop : List.of("'k_1'", "{k: 1}", "['a_1', 'k_1']")) {
      BsonDocument error = error("{dropIndexes: 'c', index: " + drop + "}");
      assertThat(error.getString("codeName").getValue()).isEqualTo("CannotDropShardKeyIndex");
      assertThat(error.getInt32("code").getValue()).isEqualTo(370);
      assertThat(error.getString("errmsg").getValue())
          .isEqualTo("Cannot drop the only compatible index for this collection's shard key");
    }
    assertThat(names("c")).containsExactly("_id_", "k_1", "a_1");
    BsonDocument error = error("{collMod: 'c', index: {name: 'k_1', hidden: true}}");
    assertThat(error.getString("codeName").getValue()).isEqualTo("InvalidOptions");
  }

  @Test
  void anotherIndexForTheShardKeyMayTakeItsPlace() {
    run("{createIndexes: 'c', indexes: [{key: {k: 1, a: 1}, name: 'ka'}]}");
    run("{collMod: 'c', index: {name: 'ka', hidden: true}}");
    assertThat(error("{dropIndexes: 'c', index: 'k_1'}").getInt32("code").getValue())
        .isEqualTo(370);
    run("{collMod: 'c', index: {name: 'ka', hidden: false}}");
    run("{dropIndexes: 'c', index: 'k_1'}");
    assertThat(names("c")).containsExactly("_id_", "a_1", "ka");
  }

  @Test
  void droppingAllLeavesThoseForTheShardKey() {
    run("{dropIndexes: 'c', index: '*'}");
    assertThat(names("c")).containsExactly("_id_", "k_1");
    run("{createIndexes: 'h', indexes: [{key: {k: 'hashed'}, name: 'h'}]}");
    run("{dropIndexes: 'h', index: '*'}");
    assertThat(error("{dropIndexes: 'h', index: 'h'}").getInt32("code").getValue()).isEqualTo(370);
    assertThat(names("h")).containsExactly("_id_", "h");
  }

  /** More orphans than one batch of deletions: they do not hide what is behind them. */
  @Test
  void expiryDeletesOwnedDocumentsOnly() {
    collection.createIndex(
        new Document("d", 1), new IndexOptions().expireAfter(1L, TimeUnit.SECONDS));
    var documents = new ArrayList<Document>();
    for (int i = 0; i < 1100; i++) {
      documents.add(new Document("_id", i).append("k", 200).append("d", new Date(i)));
    }
    for (int i = 0; i < 10; i++) {
      documents.add(new Document("_id", "own" + i).append("k", i).append("d", new Date(5000 + i)));
    }
    List<Document> deletes = List.of(Document.parse("{$match: {operationType: 'delete'}}"));
    try (var stream = collection.watch(deletes).cursor()) {
      collection.insertMany(documents);
      shard.admin(Document.parse("{setParameter: 1, ttlMonitorSleepSecs: 1}"));
      for (int i = 0; i < 10; i++) {
        assertThat(stream.next().getDocumentKey().getString("_id").getValue()).startsWith("own");
      }
    }
    assertThat(collection.countDocuments()).isEqualTo(1100);
  }
}
