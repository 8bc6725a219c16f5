package dev.wisent.cluster.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.wisent.cluster.embedded.EmbeddedNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.MaxKey;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads at a time since which ranges of the collection have moved. */
class SnapshotReadsOverMovesTest {
  private static final ClientSessionOptions SNAPSHOT =
      ClientSessionOptions.builder().snapshot(true).build();
  private static final int DOCUMENTS = 30;
  private static final int STEP = 10;

  @TempDir static Path directory;
  private static TransactionCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TransactionCluster(3, directory);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Documents with the keys 0 to 290, ten on each shard. */
  private static MongoCollection<Document> filled(String name) {
    MongoCollection<Document> collection = cluster.sharded("bank." + name, "_id");
    fill(collection);
    return collection;
  }

  private static void fill(MongoCollection<Document> collection) {
    collection.insertMany(
        IntStream.range(0, DOCUMENTS)
            .mapToObj(i -> new Document("_id", i * STEP).append("n", 0).append("g", i % 3))
            .toList());
  }

  private static void move(String name, Object from, Object to, int shard) {
    cluster.admin(
        new Document("moveRange", "bank." + name)
            .append("min", new Document("_id", from))
            .append("max", new Document("_id", to))
            .append("toShard", "shard" + shard));
  }

  private static void split(String name, int at) {
    cluster.admin(new Document("split", "bank." + name).append("middle", new Document("_id", at)));
  }

  private static void merge(String name, int from, int to) {
    cluster.admin(
        new Document("mergeChunks", "bank." + name)
            .append("bounds", List.of(new Document("_id", from), new Document("_id", to))));
  }

  /** All kinds of reads, by the session of a client. */
  private static List<Object> answers(MongoCollection<Document> from, ClientSession session) {
    var answers = new ArrayList<>();
    answers.add(from.find(session).sort(Sorts.ascending("_id")).into(new ArrayList<>()));
    answers.add(from.countDocuments(session));
    answers.add(
        from.distinct(session, "n", Integer.class).into(new ArrayList<>()).stream()
            .sorted()
            .toList());
    for (int key = 0; key < DOCUMENTS * STEP; key += 7 * STEP) {
      answers.add(from.find(session, Filters.eq(key)).into(new ArrayList<>()));
    }
    Bson range = Filters.and(Filters.gte("_id", 80), Filters.lt("_id", 150));
    answers.add(
        from.find(session, range)
            .sort(Sorts.ascending("_id"))
            .batchSize(2)
            .into(new ArrayList<>()));
    answers.add(from.countDocuments(session, Filters.or(range, Filters.gte("_id", 210))));
    answers.add(
        from.aggregate(
                session,
                List.of(
                    Aggregates.group("$g", Accumulators.sum("n", "$n"), Accumulators.sum("c", 1)),
                    Aggregates.sort(Sorts.ascending("_id"))))
            .into(new ArrayList<>()));
    answers.add(
        from.aggregate(
                session,
                List.of(
                    Aggregates.match(Filters.in("_id", 0, 110, 220)),
                    Aggregates.lookup(
                        from.getNamespace().getCollectionName(),
                        List.of(Aggregates.group(null, Accumulators.sum("n", "$n"))),
                        "all"),
                    Aggregates.sort(Sorts.ascending("_id"))))
            .batchSize(1)
            .into(new ArrayList<>()));
    return answers;
  }

  private static void change(MongoCollection<Document> collection) {
    collection.updateMany(Filters.gte("_id", 0), Updates.inc("n", 1));
    collection.deleteOne(Filters.eq(110));
    collection.insertOne(new Document("_id", 110).append("n", 7).append("g", 4));
  }

  @Test
  void aSessionReadsTheSameWhateverMoves() {
    MongoCollection<Document> moved = filled("moved");
    try (ClientSession session = cluster.client().startSession(SNAPSHOT)) {
      List<Object> expected = answers(moved, session);
      List<Runnable> moves =
          List.of(
              () -> move("moved", 100, 150, 0),
              () -> split("moved", 120),
              () -> move("moved", 100, 120, 2),
              () -> move("moved", 120, 150, 1),
              () -> merge("moved", 120, 200),
              () -> move("moved", new MinKey(), 50, 2),
              () -> move("moved", new MinKey(), 50, 0),
              () -> move("moved", 100, 120, 1),
              () -> merge("moved", 100, 200),
              () -> move("moved", 100, 200, 0),
              () -> move("moved", 200, new MaxKey(), 1));
      for (Runnable each : moves) {
        change(moved);
        each.run();
        change(moved);
        assertThat(answers(moved, session)).isEqualTo(expected);
      }
    }
  }

  @Test
  void aShardThatHadNothingIsNoHindrance() {
    cluster.admin(
        new Document("shardCollection", "bank.first").append("key", new Document("_id", 1)));
    MongoCollection<Document> first = cluster.client().getDatabase("bank").getCollection("first");
    fill(first);
    try (ClientSession session = cluster.client().startSession(SNAPSHOT)) {
      List<Object> expected = answers(first, session);
      for (int shard : List.of(0, 1, 2, 0)) {
        move("first", 100, 200, shard);
        change(first);
        assertThat(answers(first, session)).isEqualTo(expected);
      }
      for (int shard : List.of(1, 2, 0)) {
        move("first", new MinKey(), 100, shard);
        move("first", 100, 200, shard);
        move("first", 200, new MaxKey(), shard);
        change(first);
        assertThat(answers(first, session)).isEqualTo(expected);
      }
    }
  }

  private static Document at(BsonTimestamp time) {
    return new Document("level", "snapshot").append("atClusterTime", time);
  }

  /** The sum and number of the documents, and those of some keys, at a time. */
  private static List<Object> answers(MongoDatabase database, String name, BsonTimestamp time) {
    var answers = new ArrayList<>();
    answers.add(
        batch(
            database.runCommand(
                new Document("aggregate", name)
                    .append(
                        "pipeline",
                        List.of(
                            Document.parse("{$group: {_id: null, n: {$sum: '$n'}, c: {$sum: 1}}}")))
                    .append("cursor", new Document())
                    .append("readConcern", at(time)))));
    for (int key = 0; key < DOCUMENTS * STEP; key += 5 * STEP) {
      answers.add(
          batch(
              database.runCommand(
                  new Document("find", name)
                      .append("filter", new Document("_id", key))
                      .append("readConcern", at(time)))));
    }
    return answers;
  }

  private static List<Document> batch(Document reply) {
    return reply.get("cursor", Document.class).getList("firstBatch", Document.class);
  }

  private static BsonTimestamp now(MongoCollection<Document> collection) {
    try (ClientSession session = cluster.client().startSession(SNAPSHOT)) {
      var unused = collection.countDocuments(session);
      return session.getSnapshotTimestamp();
    }
  }

  /** One router moves, another one has an old table, and a third one is started afterwards. */
  @Test
  void allRoutersAnswerForAllTimes() {
    MongoCollection<Document> states = filled("states");
    MongoDatabase bank = cluster.client().getDatabase("bank");
    var expected = new LinkedHashMap<BsonTimestamp, List<Object>>();
    try (EmbeddedNode stale = cluster.cluster().newRouter(directory.resolve("stale"), each -> {});
        MongoClient ofStale = MongoClients.create("mongodb://" + stale.address() + "/")) {
      MongoDatabase staleBank = ofStale.getDatabase("bank");
      assertThat(staleBank.getCollection("states").countDocuments()).isEqualTo(DOCUMENTS);
      for (int i = 0; i < 5; i++) {
        remember(states, bank, expected);
        move("states", 100, 150, (i + 2) % 3);
        remember(states, bank, expected);
        move("states", 0, 50, (i + 1) % 3);
        if (i == 2) {
          // In the order that needs a new table at every time.
          assertThat(answers(staleBank, "states", List.copyOf(expected.keySet()).getLast()))
              .isEqualTo(List.copyOf(expected.values()).getLast());
        }
      }
      assertAnswers(staleBank, expected);
    }
    assertAnswers(bank, expected);
    try (EmbeddedNode fresh = cluster.cluster().newRouter(directory.resolve("fresh"), each -> {});
        MongoClient ofFresh = MongoClients.create("mongodb://" + fresh.address() + "/")) {
      assertAnswers(ofFresh.getDatabase("bank"), expected);
    }
  }

  private static void remember(
      MongoCollection<Document> states,
      MongoDatabase bank,
      Map<BsonTimestamp, List<Object>> expected) {
    change(states);
    BsonTimestamp time = now(states);
    expected.put(time, answers(bank, "states", time));
  }

  private static void assertAnswers(MongoDatabase bank, Map<BsonTimestamp, List<Object>> expected) {
    expected.forEach(
        (time, answers) -> assertThat(answers(bank, "states", time)).isEqualTo(answers));
  }

  /** Both shards answer as if the range had changed hands with that entry. */
  @Test
  void theRecipientKnowsTheTimeOfTheEntryThatGaveTheRangeAway() {
    var unused = filled("entries");
    move("entries", 0, 50, 1);
    Document arrival =
        cluster
            .shardClient(1)
            .getDatabase("config")
            .getCollection("shard.catalog.collections")
            .find(Filters.eq("bank.entries"))
            .first()
            .getList("arrivals", Document.class)
            .getLast();
    Document entry =
        cluster
            .shardClient(0)
            .getDatabase("local")
            .getCollection("oplog.rs")
            .find(
                Filters.and(
                    Filters.eq("o.applyOps.ns", "config.shard.catalog.moves"),
                    Filters.eq("o.applyOps.o.ns", "bank.entries")))
            .sort(Sorts.ascending("$natural"))
            .first();
    assertThat(arrival.get("at")).isEqualTo(entry.get("ts"));
  }

  @Test
  void aCollectionThatWasAnotherOneIsRefused() {
    MongoCollection<Document> refined = filled("refined");
    refined.createIndex(new Document("_id", 1).append("g", 1));
    BsonTimestamp time = now(refined);
    cluster.admin(
        new Document("refineCollectionShardKey", "bank.refined")
            .append("key", new Document("_id", 1).append("g", 1)));
    assertThatThrownBy(() -> answers(cluster.client().getDatabase("bank"), "refined", time))
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> assertThat(e.getErrorCodeName()).isEqualTo("SnapshotUnavailable"));
  }
}
