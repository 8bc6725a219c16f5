package dev.wisent.conformance.sharding.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.wisent.conformance.sharding.SharedCluster;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.types.MinKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a chunk holds, and where it can be split. */
@ExtendWith(SharedCluster.class)
class ChunkExamplesTest {
  private static final String INDIVISIBLE = "chunk is indivisible";

  private final TestCluster cluster;

  ChunkExamplesTest(TestCluster cluster) {
    this.cluster = cluster;
  }

  private static Document user(String name, int age) {
    return new Document("name", name).append("age", age);
  }

  @Test
  void eightUsersByAge() {
    var chunks = new Chunks(cluster, "book_ages.users");
    cluster.shardAt(chunks.namespace(), "age", 4, 8, 15, 26);
    MongoCollection<Document> users =
        cluster.client().getDatabase("book_ages").getCollection("users");
    users.insertMany(
        List.of(
            user("paul", 23),
            user("simon", 17),
            user("widdly", 16),
            user("grill", 18),
            user("tilda", 4),
            user("otto", 6),
            user("rosa", 11),
            user("ivan", 41)));

    // [15, 26) is the fourth of the chunks that three shards get in turn, and shard0 has no other.
    List<Document> onShard =
        cluster
            .shard(0)
            .getDatabase("book_ages")
            .getCollection("users")
            .find()
            .into(new ArrayList<>());
    assertThat(onShard)
        .extracting(user -> user.getString("name") + " " + user.getInteger("age"))
        .containsExactlyInAnyOrder("paul 23", "simon 17", "widdly 16", "grill 18");
    assertThat(users.find(Filters.and(Filters.gte("age", 15), Filters.lt("age", 26)))).hasSize(4);

    // [4, 8) has the ages 4 and 6 and no other place to be split.
    chunks.splitFind(new Document("age", 5));
    assertThat(chunks.mins("age")).containsExactly(new MinKey(), 4, 6, 8, 15, 26);
    assertThatThrownBy(() -> chunks.splitFind(new Document("age", 4)))
        .hasMessageContaining(INDIVISIBLE);
    assertThatThrownBy(() -> chunks.splitFind(new Document("age", 7)))
        .hasMessageContaining(INDIVISIBLE);
    assertThatThrownBy(() -> chunks.splitAt(new Document("age", 8)))
        .hasMessageContaining("is a boundary key of existing chunk");
  }

  @Test
  void continentsAreABadKey() {
    var chunks = new Chunks(cluster, "book_map.people");
    chunks.shard(new Document("continent", 1));
    MongoCollection<Document> people =
        cluster.client().getDatabase("book_map").getCollection("people");
    List<String> continents =
        List.of(
            "Africa",
            "Antarctica",
            "Asia",
            "Australia",
            "Europe",
            "North America",
            "South America");
    for (String continent : continents) {
      for (int i = 0; i < (continent.equals("Europe") ? 40 : 10); i++) {
        people.insertOne(new Document("continent", continent));
      }
    }
    chunks.splitFind(new Document("continent", "Asia"));
    assertThat(chunks.mins("continent")).containsExactly(new MinKey(), "Europe");

    for (int round = 0; round < 3; round++) {
      for (String continent : continents) {
        trySplit(chunks, continent);
      }
    }
    assertThat(chunks.mins("continent"))
        .containsExactly(
            new MinKey(),
            "Antarctica",
            "Asia",
            "Australia",
            "Europe",
            "North America",
            "South America");

    people.insertOne(new Document("continent", "Asia, Japan"));
    chunks.splitFind(new Document("continent", "Asia"));
    assertThat(chunks.mins("continent")).contains("Asia", "Asia, Japan").hasSize(8);
  }

  private static void trySplit(Chunks chunks, String continent) {
    try {
      chunks.splitFind(new Document("continent", continent));
    } catch (MongoCommandException e) {
      assertThat(e).hasMessageContaining(INDIVISIBLE);
    }
  }

  @Test
  void splitIsRefusedInMongoDbsWords() {
    var chunks = new Chunks(cluster, "book_refused.c");
    chunks.shard(new Document("a", 1).append("b", 1));
    refuses(chunks, "{}", "need to specify find/bounds or middle");
    refuses(chunks, "{find: {}, bounds: []}", "need to specify find/bounds or middle");
    refuses(
        chunks,
        "{find: {a: 1, b: 1}, middle: {a: 1, b: 1}}",
        "cannot specify find and middle together");
    refuses(
        chunks,
        "{find: {a: 1, b: 1}, bounds: [{a: 1, b: 1}, {a: 2, b: 2}]}",
        "cannot specify bounds and find at the same time");
    refuses(chunks, "{find: {a: 1}}", "no shard key found in chunk query");
    refuses(chunks, "{middle: {a: 1}}", "is not valid for shard key pattern");
    refuses(chunks, "{bounds: [{a: 1, b: 1}]}", "upper bound not specified");
    refuses(
        chunks,
        "{bounds: [{a: 1, b: 1}, {a: 2, b: 2}]}",
        "no chunk found with the shard key bounds");
    refuses(chunks, "{find: {a: 1, b: 1}}", INDIVISIBLE);
  }

  private void refuses(Chunks chunks, String arguments, String message) {
    var command = new Document("split", chunks.namespace());
    command.putAll(Document.parse(arguments));
    assertThatThrownBy(() -> cluster.admin(command)).hasMessageContaining(message);
  }
}
