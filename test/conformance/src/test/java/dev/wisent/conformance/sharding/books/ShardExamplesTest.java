package dev.wisent.conformance.sharding.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.testkit.TestCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Shards join a cluster, and then they fail one after the other. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardExamplesTest {
  private final List<EmbeddedSet> sets = new ArrayList<>();
  private Path directory;
  private TestCluster cluster;

  @BeforeAll
  void start(@TempDir Path directory) {
    this.directory = directory;
    this.cluster = TestCluster.start(2, directory);
  }

  @AfterAll
  void stop() {
    cluster.close();
    sets.forEach(EmbeddedSet::close);
  }

  private EmbeddedSet set(String name, int members) {
    EmbeddedSet set =
        EmbeddedSet.start(
            name,
            members,
            directory,
            options ->
                options
                    .clusterRole(ClusterRole.SHARD_SERVER)
                    .setParameter("enableTestCommands", "1"));
    sets.add(set);
    return set;
  }

  private Document shard(String name) {
    return cluster
        .client()
        .getDatabase("config")
        .getCollection("shards")
        .find(Filters.eq(name))
        .first();
  }

  @Test
  @Order(1)
  @Execution(ExecutionMode.SAME_THREAD)
  void twoMembersOfASetNameAllOfThem() {
    EmbeddedSet rs = set("rs", 3);
    List<String> hosts = rs.members().stream().map(EmbeddedNode::address).toList();
    Document added =
        cluster.admin(new Document("addShard", "rs/" + hosts.get(0) + "," + hosts.get(2)));
    assertThat(added.getString("shardAdded")).isEqualTo("rs");
    assertThat(shard("rs").getString("host")).startsWith("rs/").contains(hosts);
  }

  @Test
  @Order(2)
  @Execution(ExecutionMode.SAME_THREAD)
  void aShardBringsItsDatabasesUnlessTheClusterHasThem() {
    cluster.client().getDatabase("foo").getCollection("c").insertOne(new Document("_id", 1));
    EmbeddedSet withBar = set("withbar", 1);
    EmbeddedSet withFoo = set("withfoo", 1);
    insertDirectly(withBar, "bar");
    insertDirectly(withFoo, "foo");

    Document added =
        cluster.admin(
            new Document("addShard", withBar.connectionString())
                .append("name", "the shard with spaces")
                .append("maxSize", 20_000));
    assertThat(added.getString("shardAdded")).isEqualTo("the shard with spaces");
    assertThat(shard("the shard with spaces").get("maxSize", Number.class).longValue())
        .isEqualTo(20_000);
    assertThat(
            cluster.client().getDatabase("bar").getCollection("c").find().into(new ArrayList<>()))
        .containsExactly(new Document("_id", "bar"));

    assertThatThrownBy(() -> cluster.admin(new Document("addShard", withFoo.connectionString())))
        .hasMessageContaining("foo")
        .hasMessageContaining("exists");
    assertThat(shard("withfoo")).isNull();
  }

  private static void insertDirectly(EmbeddedSet set, String database) {
    try (MongoClient client = MongoClients.create(set.uri())) {
      client.getDatabase(database).getCollection("c").insertOne(new Document("_id", database));
    }
  }

  @Test
  @Order(3)
  @Execution(ExecutionMode.SAME_THREAD)
  void documentsAreOnAllShards() {
    cluster.admin(new Document("enableSharding", "three").append("primaryShard", "rs"));
    cluster.client().getDatabase("three").getCollection("c").insertOne(new Document("_id", 1));
    cluster.shardAt("down.numbers", "_id", 4);
    cluster
        .client()
        .getDatabase("down")
        .getCollection("numbers")
        .insertMany(IntStream.rangeClosed(1, 9).mapToObj(i -> new Document("_id", i)).toList());
    var numbers = new Chunks(cluster, "down.numbers");
    assertThat(numbers.countOn(0)).isEqualTo(3);
    assertThat(numbers.countOn(1)).isEqualTo(6);
  }

  @Test
  @Order(4)
  @Execution(ExecutionMode.SAME_THREAD)
  void twoOfThreeMembersAreDown() {
    MongoDatabase three = cluster.client().getDatabase("three");
    MongoCollection<Document> elsewhere = cluster.client().getDatabase("foo").getCollection("c");
    EmbeddedSet rs = sets.getFirst();
    rs.members().get(0).close();
    rs.members().get(1).close();

    elsewhere.insertOne(new Document("_id", 2));
    assertThat(elsewhere.countDocuments()).isEqualTo(2);
    assertThat(
            three
                .getCollection("c")
                .withReadPreference(ReadPreference.secondaryPreferred())
                .find()
                .into(new ArrayList<>()))
        .containsExactly(new Document("_id", 1));
    assertThatThrownBy(() -> three.getCollection("c").insertOne(new Document("_id", 2)))
        .isInstanceOf(MongoException.class)
        .hasMessageContaining("rs");
    elsewhere.insertOne(new Document("_id", 3));
  }

  @Test
  @Order(5)
  @Execution(ExecutionMode.SAME_THREAD)
  void aShardIsDown() {
    MongoCollection<Document> numbers =
        cluster.client().getDatabase("down").getCollection("numbers");
    String host = cluster.cluster().shards().get(1).members().getFirst().address();
    var delivered = new ArrayList<Integer>();
    try (MongoCursor<Document> cursor =
        numbers.find().sort(new Document("_id", 1)).batchSize(1).cursor()) {
      delivered.add(cursor.next().getInteger("_id"));
      cluster.cluster().shards().get(1).close();
      assertThatThrownBy(
              () -> {
                while (cursor.hasNext()) {
                  delivered.add(cursor.next().getInteger("_id"));
                }
              })
          .isInstanceOf(MongoException.class)
          .hasMessageContaining(host);
    }
    // The router may have read one number ahead.
    assertThat(delivered).startsWith(1, 2, 3).hasSizeLessThan(6);

    assertThat(numbers.find(Filters.lt("_id", 4)).into(new ArrayList<>())).hasSize(3);
    numbers.insertOne(new Document("_id", 0));

    Document part =
        cluster
            .client()
            .getDatabase("down")
            .runCommand(new Document("find", "numbers").append("allowPartialResults", true));
    Document found = part.get("cursor", Document.class);
    assertThat(found.getBoolean("partialResultsReturned")).isTrue();
    assertThat(found.getList("firstBatch", Document.class))
        .extracting(number -> number.getInteger("_id"))
        .containsExactlyInAnyOrder(0, 1, 2, 3);
  }
}
