package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A collection is resharded again and again while clients write and read: inserts, updates and
 * deletes, updates of the old and the new key, of many documents, and transactions. No client sees
 * an error, every document is there exactly once at every moment, and in the end all of them are
 * what was written.
 */
class ReshardLoadTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int FIXED = 400;
  private static final int SEED = Integer.getInteger("wisent.seed", 42);

  private MongoClient client;
  private MongoCollection<Document> collection;
  private final AtomicBoolean stopped = new AtomicBoolean();

  @Test
  @Timeout(120)
  void aCollectionIsReshardedUnderAMixedLoad() throws Exception {
    run("once", List.of("{reshardCollection: '%s', key: {x: 'hashed'}}"), 1);
  }

  @Test
  @Tag("faults")
  @Timeout(600)
  void aCollectionIsReshardedAgainAndAgain() throws Exception {
    run(
        "again",
        List.of(
            "{reshardCollection: '%s', key: {x: 'hashed'}}",
            "{reshardCollection: '%s', key: {k: 1}, numInitialChunks: 7}",
            "{reshardCollection: '%s', key: {x: 1, k: 1}}",
            "{reshardCollection: '%s', key: {_id: 1}}",
            "{reshardCollection: '%s', key: {_id: 1}, forceRedistribution: true}"),
        5);
  }

  @Test
  @Tag("faults")
  @Timeout(600)
  void aCollectionIsUnshardedAndShardedAgain() throws Exception {
    run(
        "unshard",
        List.of(
            "{unshardCollection: '%s'}",
            "{shardCollection: '%s', key: {k: 1}}",
            "{reshardCollection: '%s', key: {k: 1}, forceRedistribution: true}"),
        5);
  }

  private void run(String database, List<String> commands, int count) throws Exception {
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    try (MongoClient own = MongoClients.create(CLUSTER.cluster().uri())) {
      client = own;
      collection = own.getDatabase(database).getCollection("c");
      collection.insertMany(
          IntStream.range(0, FIXED)
              .mapToObj(i -> new Document("_id", i).append("k", i).append("x", i % 50))
              .map(each -> each.append("n", 0).append("m", 0))
              .toList());
      CLUSTER.admin(
          "{moveRange: '%s.c', min: {k: 200}, max: {k: {$maxKey: 1}}, toShard: 'shard1'}"
              .formatted(database));
      var tasks = new ArrayList<CompletableFuture<Void>>();
      var expected = new ConcurrentHashMap<Integer, Document>();
      var multis = new AtomicLong();
      var own1 = new Random(SEED);
      var own2 = new Random(SEED + 1);
      tasks.add(task(() -> writeOwn(expected, own1)));
      tasks.add(task(() -> inc(multis)));
      tasks.add(task(this::readAll));
      tasks.add(task(() -> transfer(own2)));
      try {
        for (int i = 0; i < count; i++) {
          for (String command : commands) {
            CLUSTER.admin(command.formatted(database + ".c"));
          }
        }
      } finally {
        stopped.set(true);
      }
      for (CompletableFuture<Void> task : tasks) {
        task.get();
      }
      assertFinal(expected, multis.get());
    }
  }

  private CompletableFuture<Void> task(Runnable step) {
    return CompletableFuture.runAsync(
        () -> {
          while (!stopped.get()) {
            step.run();
          }
        },
        command -> Thread.ofPlatform().start(command));
  }

  /** Documents with {@code _id}s from 1000 on, one at a time. */
  private void writeOwn(Map<Integer, Document> expected, Random random) {
    int id = 1000 + random.nextInt(200);
    Document now = expected.get(id);
    if (now == null && random.nextBoolean()) {
      Document made = new Document("_id", id).append("k", -1 - id).append("x", id).append("n", 1);
      collection.insertOne(made);
      expected.put(id, made);
    } else if (now == null) {
      var upsert = new UpdateOptions().upsert(true);
      var filter = Filters.and(Filters.eq(id), Filters.eq("k", -1 - id), Filters.eq("x", id));
      assertThat(collection.updateOne(filter, Updates.inc("n", 1), upsert).getUpsertedId())
          .isNotNull();
      expected.put(id, new Document("_id", id).append("k", -1 - id).append("x", id).append("n", 1));
    } else if (random.nextInt(4) == 0) {
      assertThat(collection.deleteOne(Filters.eq(id)).getDeletedCount()).isOne();
      expected.remove(id);
    } else {
      update(expected, id, now, random);
    }
  }

  /** Of a field, of one of the keys, or of both, so that the document has to move. */
  private void update(Map<Integer, Document> expected, int id, Document now, Random random) {
    Document after = new Document(now).append("n", now.getInteger("n") + 1);
    int which = random.nextInt(4);
    if (which == 1 || which == 3) {
      after.append("k", -1 - random.nextInt(2000));
    }
    if (which == 2 || which == 3) {
      after.append("x", 1000 + random.nextInt(200));
    }
    var filter =
        Filters.and(Filters.eq(id), Filters.eq("k", now.get("k")), Filters.eq("x", now.get("x")));
    var update =
        Updates.combine(
            Updates.inc("n", 1),
            Updates.set("k", after.get("k")),
            Updates.set("x", after.get("x")));
    assertThat(collection.updateOne(filter, update).getModifiedCount())
        .as("update of %s to %s", now, after)
        .isOne();
    expected.put(id, after);
  }

  /** Rule H8: a multi-update changes each document exactly once, wherever it is meanwhile. */
  private void inc(AtomicLong multis) {
    assertThat(collection.updateMany(Filters.gte("k", 0), Updates.inc("m", 1)).getModifiedCount())
        .isEqualTo(FIXED);
    multis.incrementAndGet();
  }

  private void readAll() {
    assertThat(collection.countDocuments(Filters.gte("k", 0))).isEqualTo(FIXED);
    List<Integer> ids =
        collection
            .find(Filters.gte("k", 0))
            .batchSize(1000)
            .map(each -> each.getInteger("_id"))
            .into(new ArrayList<>());
    assertThat(ids).doesNotHaveDuplicates().hasSize(FIXED);
    Document sum =
        collection
            .aggregate(
                List.of(
                    Aggregates.match(Filters.gte("k", 0)),
                    Aggregates.group(null, Accumulators.sum("count", 1))))
            .first();
    assertThat(sum.getInteger("count")).isEqualTo(FIXED);
    assertThat(collection.find(Filters.eq("k", 150)).first()).containsEntry("_id", 150);
    assertThat(collection.countDocuments(Filters.eq("x", 7))).isEqualTo(FIXED / 50);
  }

  /** Transactions keep the sum of all fixed documents. */
  private void transfer(Random random) {
    int from = random.nextInt(FIXED);
    int to = (from + 1 + random.nextInt(FIXED - 1)) % FIXED;
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            collection.updateOne(session, Filters.eq("k", from), Updates.inc("n", -1));
            collection.updateOne(session, Filters.eq("k", to), Updates.inc("n", 1));
            return null;
          });
    } catch (MongoException e) {
      if (!e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
        throw e;
      }
    }
  }

  private void assertFinal(Map<Integer, Document> expected, long multis) {
    var own = new ConcurrentHashMap<Integer, Document>();
    for (Document each : collection.find(Filters.lt("k", 0))) {
      assertThat(own.put(each.getInteger("_id"), each)).isNull();
    }
    assertThat(own).isEqualTo(expected);
    int sum = 0;
    int count = 0;
    for (Document each : collection.find(Filters.gte("k", 0))) {
      assertThat(each.getInteger("m")).as("multi-updates of %s", each).isEqualTo((int) multis);
      sum += each.getInteger("n");
      count++;
    }
    assertThat(count).isEqualTo(FIXED);
    assertThat(sum).isZero();
    assertThat(collection.estimatedDocumentCount()).isEqualTo(FIXED + expected.size());
  }
}
