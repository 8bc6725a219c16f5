package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * Clients of a collection that is sharded by {@code k}, while its ranges move. No client sees an
 * error, every document is there exactly once at every moment, and in the end all of them are what
 * was written. Documents with keys below {@link #FIXED} stay, those from {@link #OWN} on come and
 * go.
 */
final class MigrationLoad implements AutoCloseable {
  static final int FIXED = 400;
  static final int OWN = 1000;

  private final MongoClient client;
  private final MongoCollection<Document> collection;
  private final MongoCollection<Document> scanned;
  private final Map<Integer, Integer> expected = new ConcurrentHashMap<>();
  private final AtomicLong multis = new AtomicLong();
  private final List<Task> tasks = new CopyOnWriteArrayList<>();
  private volatile boolean stopped;

  /** What one thread does over and over. */
  private static final class Task {
    private final AtomicInteger rounds = new AtomicInteger();
    private CompletableFuture<Void> end;
  }

  /**
   * @param readers may be connected to another router
   * @param scans where whole collections are read
   */
  MigrationLoad(MongoClient writers, MongoClient readers, String namespace, ReadPreference scans) {
    int dot = namespace.indexOf('.');
    String database = namespace.substring(0, dot);
    String name = namespace.substring(dot + 1);
    this.client = writers;
    this.collection = writers.getDatabase(database).getCollection(name);
    this.scanned = readers.getDatabase(database).getCollection(name).withReadPreference(scans);
  }

  void insertFixed() {
    collection.insertMany(
        IntStream.range(0, FIXED)
            .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0).append("m", 0))
            .toList());
  }

  void start(int seed) {
    startRetryable(seed);
    task(this::incrementAll);
  }

  /** Without writes of many documents, which drivers do not repeat after an election. */
  void startRetryable(int seed) {
    var writes = new Random(seed);
    var transfers = new Random(seed + 1);
    task(() -> writeOwn(writes));
    task(this::readAll);
    task(() -> transfer(transfers));
  }

  /** One more thread that goes on until the load ends. */
  void task(Runnable step) {
    var task = new Task();
    task.end =
        CompletableFuture.runAsync(
            () -> {
              while (!stopped) {
                step.run();
                task.rounds.incrementAndGet();
              }
            },
            run -> Thread.ofPlatform().start(run));
    tasks.add(task);
  }

  /** Whether every thread has done its work some times; fails where one has failed. */
  boolean hasDone(int rounds) {
    tasks.stream()
        .map(task -> task.end)
        .filter(CompletableFuture::isDone)
        .forEach(end -> end.join());
    return tasks.stream().allMatch(task -> task.rounds.get() >= rounds);
  }

  /** How often each thread has done its work. */
  List<Integer> rounds() {
    return tasks.stream().map(task -> task.rounds.get()).toList();
  }

  /** Whether each thread has done its work once more; fails where one has failed. */
  boolean hasGoneOn(List<Integer> before) {
    return hasDone(0)
        && IntStream.range(0, before.size())
            .allMatch(i -> tasks.get(i).rounds.get() > before.get(i));
  }

  /** Ends all threads, and looks at what they have left. */
  void finish() {
    close();
    tasks.forEach(task -> task.end.join());
    assertFinal();
  }

  @Override
  public void close() {
    stopped = true;
    for (Task task : tasks) {
      task.end.handle((unused, failure) -> null).join();
    }
  }

  /** Inserts, updates, upserts and deletes of one document, by key and by {@code _id}. */
  private void writeOwn(Random random) {
    int id = OWN + random.nextInt(200);
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
  private void incrementAll() {
    assertThat(
            collection.updateMany(Filters.lt("k", FIXED), Updates.inc("m", 1)).getModifiedCount())
        .isEqualTo(FIXED);
    multis.incrementAndGet();
  }

  private void readAll() {
    assertThat(scanned.countDocuments(Filters.lt("k", FIXED))).isEqualTo(FIXED);
    List<Integer> ids =
        scanned
            .find(Filters.lt("k", FIXED))
            .batchSize(150)
            .map(each -> each.getInteger("_id"))
            .into(new ArrayList<>());
    assertThat(ids).doesNotHaveDuplicates().hasSize(FIXED);
    Document sum =
        scanned
            .aggregate(
                List.of(
                    Aggregates.match(Filters.lt("k", FIXED)),
                    Aggregates.group(
                        null, Accumulators.sum("sum", "$n"), Accumulators.sum("count", 1))))
            .first();
    assertThat(sum.getInteger("count")).isEqualTo(FIXED);
    assertThat(scanned.find(Filters.eq("k", 150)).first()).containsEntry("_id", 150);
    assertThat(scanned.distinct("k", Filters.lt("k", FIXED), Integer.class).into(new ArrayList<>()))
        .hasSize(FIXED);
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

  private void assertFinal() {
    var own = new ConcurrentHashMap<Integer, Integer>();
    for (Document each : collection.find(Filters.gte("k", OWN))) {
      assertThat(own.put(each.getInteger("_id"), each.getInteger("n"))).isNull();
    }
    assertThat(own).isEqualTo(expected);
    int sum = 0;
    int count = 0;
    for (Document each : collection.find(Filters.lt("k", FIXED))) {
      assertThat(each.getInteger("m"))
          .as("multi-updates of %s", each)
          .isEqualTo((int) multis.get());
      sum += each.getInteger("n");
      count++;
    }
    assertThat(count).isEqualTo(FIXED);
    assertThat(sum).isZero();
    assertThat(collection.estimatedDocumentCount()).isEqualTo(FIXED + expected.size());
  }
}
