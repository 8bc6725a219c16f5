package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ranges move back and forth while clients write and read. No client sees an error, every document
 * is there exactly once at every moment, and in the end all of them are what was written.
 */
class MigrationLoadTest {
  @RegisterExtension static final AdminCluster CLUSTER = new AdminCluster();

  private static final int FIXED = 400;
  private static final int SEED = Integer.getInteger("wisent.seed", 42);

  private MongoClient client;
  private MongoCollection<Document> collection;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger moves = new AtomicInteger();

  @Test
  @Tag("faults")
  @Timeout(120)
  void rangesMoveUnderAMixedLoad() throws Exception {
    run(10);
  }

  @Test
  @Tag("faults")
  void rangesMoveUnderAMixedLoadForLong() throws Exception {
    run(300);
  }

  private void run(int count) throws Exception {
    String database = "load" + count;
    CLUSTER.create(database, 0);
    CLUSTER.admin("{shardCollection: '%s.c', key: {k: 1}}".formatted(database));
    try (MongoClient own = MongoClients.create(CLUSTER.cluster().uri())) {
      client = own;
      collection = own.getDatabase(database).getCollection("c");
      collection.insertMany(
          IntStream.range(0, FIXED)
              .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0).append("m", 0))
              .toList());
      var tasks = new ArrayList<CompletableFuture<Void>>();
      var expected = new ConcurrentHashMap<Integer, Integer>();
      var multis = new AtomicLong();
      tasks.add(task(() -> writeOwn(expected, new Random(SEED))));
      tasks.add(task(() -> inc(multis)));
      tasks.add(task(this::readAll));
      tasks.add(task(() -> transfer(new Random(SEED + 1))));
      try {
        move(database + ".c", count, new Random(SEED + 2));
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

  private void move(String namespace, int count, Random random) {
    for (int i = 0; i < count; i++) {
      int low = random.nextInt(4) * 100;
      String range =
          random.nextInt(4) == 0
              ? "min: {k: 1000}, max: {k: {$maxKey: 1}}"
              : "min: {k: %d}, max: {k: %d}".formatted(low, low + 100);
      String owner = i % 2 == 0 ? "shard1" : "shard0";
      CLUSTER.admin("{moveRange: '%s', %s, toShard: '%s'}".formatted(namespace, range, owner));
      moves.incrementAndGet();
    }
  }

  /** Documents with keys from 1000 on: inserts, updates, upserts and deletes, one at a time. */
  private void writeOwn(Map<Integer, Integer> expected, Random random) {
    int id = 1000 + random.nextInt(200);
    Integer now = expected.get(id);
    if (now == null && random.nextBoolean()) {
      collection.insertOne(new Document("_id", id).append("k", id).append("n", 1).append("m", 0));
      expected.put(id, 1);
    } else if (now == null) {
      var upsert = new UpdateOptions().upsert(true);
      var update = Updates.combine(Updates.inc("n", 1), Updates.setOnInsert("m", 0));
      assertThat(
              collection
                  .updateOne(Filters.and(Filters.eq(id), Filters.eq("k", id)), update, upsert)
                  .getUpsertedId())
          .isNotNull();
      expected.put(id, 1);
    } else if (random.nextInt(3) == 0) {
      boolean byKey = random.nextBoolean();
      assertThat(
              collection.deleteOne(byKey ? Filters.eq("k", id) : Filters.eq(id)).getDeletedCount())
          .as("delete of %s, by key %s", id, byKey)
          .isOne();
      expected.remove(id);
    } else {
      boolean byKey = random.nextBoolean();
      assertThat(
              collection
                  .updateOne(byKey ? Filters.eq("k", id) : Filters.eq(id), Updates.inc("n", 1))
                  .getModifiedCount())
          .as("update of %s, by key %s", id, byKey)
          .isOne();
      expected.merge(id, 1, Integer::sum);
    }
  }

  /** Rule H8: a multi-update changes each document exactly once, wherever it is meanwhile. */
  private void inc(AtomicLong multis) {
    assertThat(
            collection.updateMany(Filters.lt("k", FIXED), Updates.inc("m", 1)).getModifiedCount())
        .isEqualTo(FIXED);
    multis.incrementAndGet();
  }

  private void readAll() {
    assertThat(collection.countDocuments(Filters.lt("k", FIXED))).isEqualTo(FIXED);
    List<Integer> ids =
        collection
            .find(Filters.lt("k", FIXED))
            .batchSize(1000)
            .map(each -> each.getInteger("_id"))
            .into(new ArrayList<>());
    assertThat(ids).doesNotHaveDuplicates().hasSize(FIXED);
    Document sum =
        collection
            .aggregate(
                List.of(
                    Aggregates.match(Filters.lt("k", FIXED)),
                    Aggregates.group(
                        null, Accumulators.sum("sum", "$n"), Accumulators.sum("count", 1))))
            .first();
    assertThat(sum.getInteger("count")).isEqualTo(FIXED);
    assertThat(
            collection
                .withReadPreference(ReadPreference.secondaryPreferred())
                .countDocuments(Filters.lt("k", FIXED)))
        .isEqualTo(FIXED);
    assertThat(collection.find(Filters.eq("k", 150)).first()).containsEntry("_id", 150);
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

  private void assertFinal(Map<Integer, Integer> expected, long multis) {
    var own = new ConcurrentHashMap<Integer, Integer>();
    for (Document each : collection.find(Filters.gte("k", 1000))) {
      assertThat(own.put(each.getInteger("_id"), each.getInteger("n"))).isNull();
    }
    assertThat(own).isEqualTo(expected);
    int sum = 0;
    int count = 0;
    for (Document each : collection.find(Filters.lt("k", FIXED))) {
      assertThat(each.getInteger("m")).as("multi-updates of %s", each).isEqualTo((int) multis);
      sum += each.getInteger("n");
      count++;
    }
    assertThat(count).isEqualTo(FIXED);
    assertThat(sum).isZero();
    assertThat(collection.estimatedDocumentCount()).isEqualTo(FIXED + expected.size());
  }
}
