package dev.wisent.conformance.sharding.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.conformance.sharding.SharedCluster;
import dev.wisent.testkit.TestCluster;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a shard key allows, and what not. */
@ExtendWith(SharedCluster.class)
class KeyRulesTest {
  private static final IndexOptions UNIQUE = new IndexOptions().unique(true);

  private final TestCluster cluster;

  KeyRulesTest(TestCluster cluster) {
    this.cluster = cluster;
  }

  private static Document user(String name, String email) {
    return new Document("username", name).append("email", email);
  }

  @Test
  void byEmailNamesAreNotUnique() {
    cluster.shardAt("book_email.users", "email", "g", "p");
    MongoCollection<Document> users =
        cluster.client().getDatabase("book_email").getCollection("users");
    users.insertMany(
        List.of(user("andrew", "andrew@example.com"), user("andrew", "zed@example.com")));
    assertThat(users.countDocuments(Filters.eq("username", "andrew"))).isEqualTo(2);
    assertThatThrownBy(() -> users.createIndex(new Document("username", 1), UNIQUE))
        .isInstanceOf(MongoCommandException.class)
        .hasMessageContaining("CannotCreateIndex");
    users.createIndex(new Document("username", 1));
  }

  @Test
  void byNameNamesAndEmailsAreUniqueTogether() {
    cluster.shardAt("book_name.users", "username", "g", "p");
    MongoCollection<Document> users =
        cluster.client().getDatabase("book_name").getCollection("users");
    users.createIndex(new Document("username", 1).append("email", 1), UNIQUE);
    users.insertMany(List.of(user("andrew", "a@example.com"), user("andrew", "b@example.com")));
    assertThatThrownBy(() -> users.insertOne(user("andrew", "a@example.com")))
        .isInstanceOfSatisfying(
            MongoWriteException.class, e -> assertThat(e.getCode()).isEqualTo(11000));
  }

  @Test
  void anUpdateWithoutTheKeyChangesOneDocument() {
    cluster.shardAt("book_update.users", "username", "g", "p");
    MongoCollection<Document> users =
        cluster.client().getDatabase("book_update").getCollection("users");
    for (String name : List.of("andrew", "karl", "zoe")) {
      users.insertOne(user(name, "same@example.com"));
    }
    var same = Filters.eq("email", "same@example.com");
    assertThat(users.updateOne(same, Updates.set("seen", true)).getModifiedCount()).isEqualTo(1);
    assertThat(users.countDocuments(Filters.eq("seen", true))).isEqualTo(1);
    assertThat(users.updateMany(same, Updates.set("seen", true)).getModifiedCount()).isEqualTo(2);
  }

  @Test
  void aMissingKeyIsNull() {
    cluster.shardAt("book_null.users", "username", "g", "p");
    MongoCollection<Document> users =
        cluster.client().getDatabase("book_null").getCollection("users");
    users.insertOne(new Document("_id", 1));
    users.insertOne(new Document("_id", 2).append("username", null));
    assertThat(users.countDocuments(Filters.eq("username", null))).isEqualTo(2);
    assertThat(new Chunks(cluster, "book_null.users").countOn(0)).isEqualTo(2);
    assertThat(
            users
                .updateOne(Filters.eq("username", null), Updates.set("seen", true))
                .getModifiedCount())
        .isEqualTo(1);
  }

  @Test
  void aCappedCollectionCannotBeSharded() {
    MongoDatabase database = cluster.client().getDatabase("book_capped");
    database.createCollection("log", new CreateCollectionOptions().capped(true).sizeInBytes(4096));
    assertThatThrownBy(() -> new Chunks(cluster, "book_capped.log").shard(new Document("_id", 1)))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(72))
        .hasMessageContaining("can't shard a capped collection");
  }
}
