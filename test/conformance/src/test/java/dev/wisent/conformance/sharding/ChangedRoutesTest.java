package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import dev.wisent.testkit.TestCluster;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a router knows of a collection after it has changed it. */
@ExtendWith(SharedCluster.class)
class ChangedRoutesTest {
  private static final String NAME = "changed_routes";

  private TestCluster cluster;
  private MongoDatabase database;
  private MongoCollection<Document> collection;

  @BeforeEach
  void shard(TestCluster shared) {
    cluster = shared;
    database = cluster.client().getDatabase(NAME);
    database.drop();
    collection = database.getCollection("c");
    collection.countDocuments();
    shardByHash();
  }

  private void shardByHash() {
    cluster.admin(
        new Document("shardCollection", NAME + ".c").append("key", new Document("_id", "hashed")));
  }

  @Test
  void aShardedCollectionIsCreatedOnce() {
    database.createCollection("c");
    assertThatThrownBy(
            () ->
                database.createCollection(
                    "c", new CreateCollectionOptions().capped(true).sizeInBytes(4096)))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(48));
  }

  @Test
  void whatIsDroppedIsCreatedAnewWithOtherOptions() {
    collection.drop();
    database.createCollection("c", new CreateCollectionOptions().capped(true).sizeInBytes(4096));
    collection.insertOne(new Document("_id", 1));
    assertThat(collection.countDocuments()).isEqualTo(1);
  }

  @Test
  void aTransactionBeginsWithWhatIsShardedAnew() {
    collection.drop();
    assertThat(collection.countDocuments()).isZero();
    shardByHash();
    try (ClientSession session = cluster.client().startSession()) {
      session.startTransaction();
      collection.insertOne(session, new Document("_id", 1));
      session.commitTransaction();
    }
    assertThat(collection.countDocuments()).isEqualTo(1);
  }

  @Test
  void variablesOfAFindSelectDocuments() {
    for (int i = 0; i < 10; i++) {
      collection.insertOne(new Document("_id", i));
    }
    Document found =
        collection
            .find(Filters.expr(Document.parse("{$eq: ['$_id', '$$id']}")))
            .let(new Document("id", 7))
            .first();
    assertThat(found).isEqualTo(new Document("_id", 7));
  }
}
