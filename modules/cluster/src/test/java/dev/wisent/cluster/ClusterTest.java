package dev.wisent.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.embedded.EmbeddedCluster;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in this JVM through its router, as a driver sees it. */
class ClusterTest {
  @TempDir static Path directory;
  private static EmbeddedCluster cluster;
  private static MongoClient client;

  @BeforeAll
  static void start() {
    cluster = EmbeddedCluster.start(2, directory, options -> {});
    client = MongoClients.create(cluster.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    cluster.close();
  }

  private static Document admin(Document command) {
    return client.getDatabase("admin").runCommand(command);
  }

  private static List<Document> numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Document("_id", i).append("x", i)).toList();
  }

  @Test
  void anUnshardedCollectionIsAsOnOneServer() {
    MongoCollection<Document> notes = client.getDatabase("plain").getCollection("notes");
    notes.insertMany(numbers(500));
    assertThat(notes.countDocuments()).isEqualTo(500);
    assertThat(notes.find().batchSize(7).into(new ArrayList<>())).hasSize(500);
    notes.updateMany(Filters.gte("x", 400), Updates.set("y", 1));
    assertThat(notes.countDocuments(Filters.eq("y", 1))).isEqualTo(100);
    notes.createIndex(new Document("x", 1));
    assertThat(notes.listIndexes().into(new ArrayList<>())).hasSize(2);
    assertThat(client.getDatabase("plain").listCollectionNames().into(new ArrayList<>()))
        .contains("notes");
    assertThat(client.listDatabaseNames().into(new ArrayList<>())).contains("plain", "config");
  }

  @Test
  void aDatabaseThatDoesNotExistIsEmpty() {
    MongoDatabase missing = client.getDatabase("missing");
    assertThat(missing.getCollection("c").find().first()).isNull();
    assertThat(missing.getCollection("c").countDocuments()).isZero();
    assertThat(missing.listCollectionNames().into(new ArrayList<>())).isEmpty();
    assertThat(client.listDatabaseNames().into(new ArrayList<>())).doesNotContain("missing");
  }

  @Test
  void aHashedCollectionIsOnAllShards() {
    admin(
        new Document("shardCollection", "shop.orders")
            .append("key", new Document("_id", "hashed")));
    MongoCollection<Document> orders = client.getDatabase("shop").getCollection("orders");
    orders.insertMany(numbers(1_000));
    assertThat(orders.countDocuments()).isEqualTo(1_000);
    assertThat(orders.find(Filters.eq("_id", 17)).first()).containsEntry("x", 17);
    List<Integer> sorted =
        orders.find().sort(Sorts.descending("x")).skip(10).limit(5).into(new ArrayList<>()).stream()
            .map(order -> order.getInteger("x"))
            .toList();
    assertThat(sorted).containsExactly(989, 988, 987, 986, 985);
    assertThat(orders.updateMany(Filters.lt("x", 100), Updates.inc("y", 1)).getModifiedCount())
        .isEqualTo(100);
    assertThat(orders.updateOne(Filters.eq("_id", 5), Updates.set("y", 9)).getModifiedCount())
        .isEqualTo(1);
    assertThat(orders.deleteMany(Filters.gte("x", 900)).getDeletedCount()).isEqualTo(100);
    List<Document> groups =
        orders
            .aggregate(
                List.of(
                    new Document(
                        "$group",
                        new Document("_id", new Document("$mod", List.of("$x", 2)))
                            .append("n", new Document("$sum", 1))),
                    new Document("$sort", new Document("_id", 1))))
            .into(new ArrayList<>());
    assertThat(groups).extracting(group -> group.getInteger("n")).containsExactly(450, 450);
    List<Document> chunks =
        client.getDatabase("config").getCollection("chunks").find().into(new ArrayList<>());
    assertThat(chunks).extracting(chunk -> chunk.getString("shard")).contains("shard0", "shard1");
    orders.drop();
    assertThat(orders.countDocuments()).isZero();
  }

  @Test
  void theRouterSaysWhatItIs() {
    assertThat(admin(new Document("hello", 1)))
        .containsEntry("msg", "isdbgrid")
        .doesNotContainKey("setName");
    assertThat(admin(new Document("isdbgrid", 1))).containsEntry("isdbgrid", 1);
    assertThat(admin(new Document("listShards", 1)).getList("shards", Document.class)).hasSize(2);
  }

  @Test
  void chunksAreSplitWhereAskedAndInTheirMiddle() {
    admin(new Document("shardCollection", "cut.users").append("key", new Document("age", 1)));
    MongoCollection<Document> users = client.getDatabase("cut").getCollection("users");
    for (int age = 0; age < 20; age++) {
      users.insertOne(new Document("age", age));
    }
    admin(new Document("split", "cut.users").append("middle", new Document("age", 10)));
    admin(new Document("split", "cut.users").append("find", new Document("age", 3)));
    assertThat(chunkCount("cut.users")).isEqualTo(3);
    assertThat(users.countDocuments(Filters.lt("age", 10))).isEqualTo(10);
  }

  private static long chunkCount(String namespace) {
    MongoDatabase config = client.getDatabase("config");
    Document collection = config.getCollection("collections").find(Filters.eq(namespace)).first();
    return config
        .getCollection("chunks")
        .countDocuments(Filters.eq("uuid", collection.get("uuid")));
  }

  @Test
  void aCollectionIsRenamedOnItsShard() {
    MongoDatabase database = client.getDatabase("names");
    database.getCollection("a").insertOne(new Document("_id", 1));
    database.getCollection("a").renameCollection(new MongoNamespace("names", "b"));
    assertThat(database.getCollection("b").countDocuments()).isEqualTo(1);
    assertThat(database.runCommand(new Document("dbStats", 1)).get("objects", Number.class))
        .extracting(Number::longValue)
        .isEqualTo(1L);
  }

  @Test
  void aTransactionRunsOnTheShardOfItsCollections() {
    MongoCollection<Document> notes = client.getDatabase("moved").getCollection("notes");
    notes.insertOne(new Document("_id", 0));
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            notes.insertOne(session, new Document("_id", 1));
            notes.updateOne(session, Filters.eq(0), Updates.set("x", 1));
            return null;
          });
      session.startTransaction();
      notes.insertOne(session, new Document("_id", 2));
      assertThat(notes.countDocuments(session)).isEqualTo(3);
      session.abortTransaction();
    }
    assertThat(notes.countDocuments()).isEqualTo(2);
  }

  @Test
  void aDroppedCollectionIsNotShardedAnyMore() {
    admin(new Document("shardCollection", "two.c").append("key", new Document("_id", "hashed")));
    MongoCollection<Document> collection = client.getDatabase("two").getCollection("c");
    collection.insertMany(numbers(100));
    assertThat(collection.countDocuments()).isEqualTo(100);
    collection.drop();
    collection.insertOne(new Document("_id", 1));
    assertThat(collection.countDocuments()).isEqualTo(1);
  }

  @Test
  void aShardAnswersNoReadInPart() {
    admin(new Document("shardCollection", "part.c").append("key", new Document("_id", "hashed")));
    MongoDatabase database = client.getDatabase("part");
    database.getCollection("c").insertMany(numbers(50));
    database.getCollection("d").insertOne(new Document("_id", 1));
    database.createView("view", "c", List.of());
    database.createView("joined", "d", List.of(lookup()));
    assertThat(database.getCollection("view").find().into(new ArrayList<>())).hasSize(50);
    assertThat(database.getCollection("joined").find().first().getList("all", Document.class))
        .hasSize(50);
    List<Document> joined =
        database.getCollection("d").aggregate(List.of(lookup())).into(new ArrayList<>());
    assertThat(joined.getFirst().getList("all", Document.class)).hasSize(50);
  }

  private static Document lookup() {
    return new Document(
        "$lookup", new Document("from", "c").append("pipeline", List.of()).append("as", "all"));
  }

  @Test
  void aCommitThroughAnotherRouterIsTheSameCommit() {
    MongoDatabase database = client.getDatabase("recovered");
    database.getCollection("c").insertOne(new Document("_id", 0));
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      database.getCollection("c").insertOne(session, new Document("_id", 1));
      session.commitTransaction();
      var commit =
          new BsonDocument("commitTransaction", new BsonInt32(1))
              .append("lsid", session.getServerSession().getIdentifier())
              .append("txnNumber", new BsonInt64(session.getServerSession().getTransactionNumber()))
              .append("autocommit", BsonBoolean.FALSE)
              .append("recoveryToken", session.getRecoveryToken());
      try (EmbeddedNode other = cluster.newRouter(directory.resolve("other"), options -> {})) {
        assertThat(send(other, commit).getNumber("ok").intValue()).isEqualTo(1);
        commit.remove("recoveryToken");
        BsonDocument unknown = send(other, commit);
        assertThat(unknown.getNumber("code").intValue()).isEqualTo(96);
        assertThat(unknown).doesNotContainKey("errorLabels");
      }
    }
    assertThat(database.getCollection("c").countDocuments()).isEqualTo(2);
  }

  /** Each shard has a document that belongs to the other one, besides its own. */
  @Test
  void documentsOnTheWrongShardAreNotSeen() {
    admin(new Document("shardCollection", "orphans.c").append("key", new Document("h", "hashed")));
    MongoDatabase database = client.getDatabase("orphans");
    MongoCollection<Document> collection = database.getCollection("c");
    for (int i = 0; i < 20; i++) {
      collection.insertOne(new Document("_id", i).append("h", i).append("x", i));
    }
    for (EmbeddedSet shard : cluster.shards()) {
      String uri = "mongodb://" + shard.members().getFirst().address() + "/?directConnection=true";
      try (MongoClient direct = MongoClients.create(uri)) {
        MongoCollection<Document> part = direct.getDatabase("orphans").getCollection("c");
        List<Integer> own =
            part.find().map(document -> document.getInteger("_id")).into(new ArrayList<>());
        IntStream.range(0, 20)
            .filter(i -> !own.contains(i))
            .forEach(i -> part.insertOne(new Document("_id", i).append("h", i).append("x", -1)));
        assertThat(part.countDocuments()).isEqualTo(20);
      }
    }
    assertThat(collection.countDocuments()).isEqualTo(20);
    assertThat(collection.estimatedDocumentCount()).isEqualTo(20);
    assertThat(collection.find().sort(Sorts.ascending("_id")).into(new ArrayList<>()))
        .extracting(document -> document.getInteger("x"))
        .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
    assertThat(collection.find(Filters.eq("_id", 7)).into(new ArrayList<>())).hasSize(1);
    assertThat(collection.distinct("x", Integer.class).into(new ArrayList<>())).hasSize(20);
    assertThat(
            database
                .getCollection("other")
                .aggregate(
                    List.of(Document.parse("{$unionWith: 'c'}"), Document.parse("{$count: 'n'}")))
                .first())
        .containsEntry("n", 20);
    assertThat(collection.updateMany(new Document(), Updates.set("y", 1)).getMatchedCount())
        .isEqualTo(20);
    assertThat(collection.deleteMany(Filters.lt("x", 0)).getDeletedCount()).isZero();
    assertThat(collection.deleteMany(new Document()).getDeletedCount()).isEqualTo(20);
    assertThat(collection.countDocuments()).isZero();
  }

  @Test
  void aTimeThatIsFarAheadIsRefused() {
    long seconds = 0xF000_0000L;
    BsonDocument ping =
        new BsonDocument("ping", new BsonInt32(1))
            .append(
                "$clusterTime",
                new BsonDocument("clusterTime", new BsonTimestamp(seconds << 32 | 1)));
    for (EmbeddedNode node :
        List.of(cluster.router(), cluster.shards().getFirst().members().getFirst())) {
      assertThat(send(node, ping).getString("codeName").getValue())
          .isEqualTo("ClusterTimeFailsRateLimiter");
    }
    assertThat(send(cluster.router(), BsonDocument.parse("{ping: 1}")).getNumber("ok").intValue())
        .isEqualTo(1);
  }

  /** As it is: drivers add sessions of their own. */
  private static BsonDocument send(EmbeddedNode router, BsonDocument command) {
    BackgroundLoops loops = BackgroundLoops.silent();
    try (var nodes = new PooledNodeClient(NodeClientOptions.plain("test"), loops.clock(), loops)) {
      return nodes
          .call(
              HostAndPort.parse(router.address()),
              NodeRequest.of("admin", RawDocument.of(command), Duration.ofMinutes(1)))
          .join()
          .toBsonDocument();
    }
  }
}
