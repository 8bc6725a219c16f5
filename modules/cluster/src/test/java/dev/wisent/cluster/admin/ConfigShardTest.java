package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Config servers that are a shard too: they do all that another shard does. */
class ConfigShardTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster(1);

  private static final String LOW = "min: {k: {$minKey: 1}}, max: {k: 0}";

  @BeforeAll
  static void join() {
    CLUSTER.admin("{transitionFromDedicatedConfigServer: 1}");
  }

  /** Documents below 0 are on the config servers, the others on shard0. */
  private static MongoCollection<Document> spread(String namespace) {
    CLUSTER.create(namespace.substring(0, namespace.indexOf('.')), 0);
    CLUSTER.admin("{shardCollection: '%s', key: {k: 1}}".formatted(namespace));
    MongoCollection<Document> collection = CLUSTER.collection(namespace);
    collection.insertMany(AdminCluster.documents(100));
    CLUSTER.admin("{split: '%s', middle: {k: 0}}".formatted(namespace));
    moveLow(namespace, "config");
    return collection;
  }

  private static void moveLow(String namespace, String to) {
    CLUSTER.admin(
        "{moveRange: '%s', %s, toShard: '%s', waitForDelete: true}".formatted(namespace, LOW, to));
  }

  private static List<Integer> ids(MongoCollection<Document> collection) {
    return collection.find().map(each -> each.getInteger("_id")).into(new ArrayList<>());
  }

  /** Behind the router's back. */
  private static long onConfig(String namespace) {
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().config().uri())) {
      int dot = namespace.indexOf('.');
      return client
          .getDatabase(namespace.substring(0, dot))
          .getCollection(namespace.substring(dot + 1))
          .countDocuments();
    }
  }

  @Test
  void theConfigServersAreListedOnce() {
    CLUSTER.admin("{transitionFromDedicatedConfigServer: 1}");
    List<String> shards =
        CLUSTER.admin("{listShards: 1}").getArray("shards").stream()
            .map(each -> each.asDocument().getString("_id").getValue())
            .toList();
    assertThat(shards).containsExactlyInAnyOrder("config", "shard0");
    BsonDocument map = CLUSTER.admin("{getShardMap: 1}");
    assertThat(map.getDocument("map").keySet()).containsExactlyInAnyOrder("config", "shard0");
    assertThat(map.getDocument("hosts")).hasSize(2);
    assertThat(CLUSTER.config("{hello: 1}").getInteger("configsvr")).isEqualTo(2);
    assertThat(CLUSTER.config("{shardingState: 1}").getString("shardName")).isEqualTo("config");
    Document status = CLUSTER.config("{serverStatus: 1}");
    assertThat(status).containsKeys("balancer", "sharding", "shardingStatistics");
    assertThat(
            CLUSTER
                .admin("{serverStatus: 1}")
                .getDocument("shardingStatistics")
                .getBoolean("configServerInShardCache")
                .getValue())
        .isTrue();
  }

  @Test
  void itIsNeitherAddedNorRemovedAsOthersAre() {
    String own = CLUSTER.cluster().config().connectionString();
    BsonDocument added = CLUSTER.fail("admin", "{addShard: '%s'}".formatted(own));
    assertThat(added.getString("errmsg").getValue())
        .contains("transitionFromDedicatedConfigServer");
    BsonDocument removed = CLUSTER.fail("admin", "{removeShard: 'config'}");
    assertThat(removed.getInt32("code").getValue()).isEqualTo(20);
    assertThat(removed.getString("errmsg").getValue())
        .contains("transitionToDedicatedConfigServer");
    for (String name : List.of("From", "To")) {
      BsonDocument unknown =
          CLUSTER.fail("admin", "{transition%sDedicatedConfigServer: 1, x: 1}".formatted(name));
      assertThat(unknown.getString("codeName").getValue()).isEqualTo("IDLUnknownField");
    }
    assertThat(CLUSTER.fail("admin", "{movePrimary: 'config', to: 'config'}").getString("errmsg"))
        .isNotNull();
  }

  @Test
  void documentsGoThereAndBack() {
    MongoCollection<Document> collection = spread("moved.c");
    assertThat(onConfig("moved.c")).isEqualTo(50);
    assertThat(CLUSTER.onShard(0, "moved").getCollection("c").countDocuments()).isEqualTo(50);
    assertThat(collection.countDocuments()).isEqualTo(100);
    collection.updateMany(Filters.empty(), Updates.set("x", 1));
    collection.deleteOne(Filters.eq("k", -50));
    moveLow("moved.c", "shard0");
    assertThat(onConfig("moved.c")).isZero();
    assertThat(ids(collection))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(1, 100).boxed().toList());
    assertThat(collection.countDocuments(Filters.eq("x", 1))).isEqualTo(99);
  }

  @Test
  void itHasUnshardedCollections() {
    CLUSTER.admin("{enableSharding: 'plain', primaryShard: 'config'}");
    CLUSTER.collection("plain.c").insertMany(AdminCluster.documents(10));
    assertThat(onConfig("plain.c")).isEqualTo(10);
    CLUSTER.admin("{movePrimary: 'plain', to: 'shard0'}");
    assertThat(onConfig("plain.c")).isZero();
    CLUSTER.admin("{movePrimary: 'plain', to: 'config'}");
    assertThat(onConfig("plain.c")).isEqualTo(10);
    assertThat(CLUSTER.collection("plain.c").countDocuments()).isEqualTo(10);
    BsonDocument databases = CLUSTER.admin("{listDatabases: 1, filter: {name: 'plain'}}");
    BsonDocument listed = databases.getArray("databases").getFirst().asDocument();
    assertThat(listed.getDocument("shards").keySet()).containsExactly("config");
  }

  @Test
  void definitionsChangeOnAllShards() {
    MongoCollection<Document> collection = spread("defined.c");
    collection.createIndex(new Document("k", 1).append("x", 1));
    assertThat(
            CLUSTER
                .run("defined", "{checkMetadataConsistency: 'c', checkIndexes: true}")
                .getDocument("cursor")
                .getArray("firstBatch"))
        .isEmpty();
    CLUSTER.admin("{renameCollection: 'defined.c', to: 'defined.d'}");
    assertThat(CLUSTER.collection("defined.d").countDocuments()).isEqualTo(100);
    CLUSTER.collection("defined.d").drop();
    assertThat(onConfig("defined.d")).isZero();
    assertThat(CLUSTER.metadata("collections").countDocuments(Filters.eq("defined.d"))).isZero();
  }

  @Test
  void transactionsSpanTheConfigServersAndShards() {
    MongoCollection<Document> collection = spread("bank.c");
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        ClientSession session = client.startSession()) {
      MongoCollection<Document> accounts = client.getDatabase("bank").getCollection("c");
      // Each of the two coordinates once.
      for (int first : new int[] {-1, 1}) {
        session.withTransaction(
            () -> {
              accounts.updateOne(session, Filters.eq("k", first), Updates.inc("x", 1));
              return accounts.updateOne(session, Filters.eq("k", -first), Updates.inc("x", -1));
            });
      }
      session.startTransaction();
      accounts.deleteMany(session, Filters.empty());
      session.abortTransaction();
    }
    assertThat(collection.countDocuments(Filters.eq("x", 0))).isEqualTo(2);
    assertThat(collection.countDocuments()).isEqualTo(100);
  }

  @Test
  void aCollectionIsReshardedOverIt() {
    MongoCollection<Document> collection = spread("resharded.c");
    CLUSTER.admin("{reshardCollection: 'resharded.c', key: {_id: 'hashed'}, numInitialChunks: 4}");
    assertThat(ids(collection)).hasSize(100).doesNotHaveDuplicates();
    assertThat(onConfig("resharded.c")).isBetween(1L, 99L);
    CLUSTER.admin("{unshardCollection: 'resharded.c', toShard: 'config'}");
    assertThat(onConfig("resharded.c")).isEqualTo(100);
    CLUSTER.admin("{moveCollection: 'resharded.c', toShard: 'shard0'}");
    assertThat(ids(collection)).hasSize(100).doesNotHaveDuplicates();
    assertThat(onConfig("resharded.c")).isZero();
  }

  /** Of a coordinator that has ended, when the set is a shard again. */
  @Test
  void aLateRequestToClearItHasNoEffect() {
    MongoCollection<Document> collection = spread("late.c");
    assertThatThrownBy(() -> CLUSTER.config("{_shardsvrClearShard: 'of another time'}"))
        .hasMessageContaining("has ended");
    assertThat(collection.countDocuments()).isEqualTo(100);
    assertThat(onConfig("late.c")).isEqualTo(50);
  }

  @Test
  void changeStreamsTellOfDocumentsAndNotOfMetadata() {
    try (MongoClient client = MongoClients.create(CLUSTER.cluster().uri());
        MongoChangeStreamCursor<ChangeStreamDocument<Document>> events = client.watch().cursor()) {
      MongoCollection<Document> collection = spread("streamed.c");
      collection.updateOne(Filters.eq("k", -1), Updates.set("x", 1));
      collection.updateOne(Filters.eq("k", 1), Updates.set("x", 1));
      collection.drop();
      var inserted = new ArrayList<Integer>();
      var others = new ArrayList<String>();
      while (!others.contains("drop")) {
        ChangeStreamDocument<Document> event = events.next();
        assertThat(event.getNamespace().getFullName()).isEqualTo("streamed.c");
        String type = event.getOperationType().getValue();
        if (type.equals("insert")) {
          inserted.add(event.getFullDocument().getInteger("_id"));
        } else {
          others.add(type);
        }
      }
      assertThat(inserted).containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
      assertThat(others).containsExactly("update", "update", "drop");
    }
  }

  @Test
  void itIsAShardAfterAnElection() {
    MongoCollection<Document> collection = spread("elected.c");
    CLUSTER.electConfigAgain();
    collection.updateOne(Filters.eq("k", -7), Updates.set("x", 1));
    assertThat(collection.countDocuments()).isEqualTo(100);
    moveLow("elected.c", "shard0");
    moveLow("elected.c", "config");
    assertThat(ids(collection)).hasSize(100);
    assertThat(onConfig("elected.c")).isEqualTo(50);
  }

  @Test
  void allShardsAreLockedOnce() {
    CLUSTER.admin("{fsync: 1, lock: true}");
    BsonDocument unlocked = CLUSTER.admin("{fsyncUnlock: 1}");
    assertThat(unlocked.getDocument("raw")).hasSize(2);
    spread("locked.c");
  }

  @Test
  void parametersOfTheClusterAreSetOnce() {
    CLUSTER.admin(
        "{setClusterParameter: {changeStreamOptions:"
            + " {preAndPostImages: {expireAfterSeconds: 100}}}}");
    assertThat(
            CLUSTER
                .admin("{getClusterParameter: 'changeStreamOptions'}")
                .getArray("clusterParameters"))
        .isNotEmpty();
  }
}
