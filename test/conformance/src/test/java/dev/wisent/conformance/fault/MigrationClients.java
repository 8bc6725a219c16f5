package dev.wisent.conformance.fault;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Clients of two collections that are sharded by {@code k}, while ranges of them move. One keeps
 * its documents, so that every count and scan of it has one right answer; the documents of the
 * other come and go, and the one client that writes them knows how many there are. A wrong answer
 * is a finding, and so is an error, which drivers should have hidden.
 */
final class MigrationClients implements AutoCloseable {
  static final String DATABASE = "moved";
  static final String KEPT = "kept";
  static final String OWN = "own";
  static final int KEPT_COUNT = 400;
  static final int OWN_KEYS = 200;

  private static final int NONE = -1;

  private final MongoClient client;
  private final MongoCollection<Document> kept;
  private final MongoCollection<Document> own;
  private final int members;
  private final ReadPreference secondaries;
  private final ClientThreads threads = new ClientThreads();
  private final Map<String, AtomicInteger> steps = new ConcurrentHashMap<>();

  /** Whether an error is a finding. */
  private final boolean strict;

  /** The values of the documents that come and go; of the thread that writes them. */
  private final Map<Integer, Integer> written = new TreeMap<>();

  /** The document that was written without an answer. */
  private int unknown = NONE;

  /** What is done over and over. */
  private interface Work {
    void run(MongoClient client, RandomGenerator random);
  }

  /**
   * @param members of each set: one alone cannot be replaced, and clients hear of it when it takes
   *     long to start; of more than one they never do
   */
  MigrationClients(String uri, int members) {
    this.client = MongoClients.create(ClusterLoad.settings(uri));
    this.members = members;
    this.strict = members > 1;
    this.secondaries = strict ? ReadPreference.secondary() : ReadPreference.secondaryPreferred();
    this.kept = of(client, KEPT);
    this.own = of(client, OWN);
  }

  private static MongoCollection<Document> of(MongoClient client, String name) {
    MongoDatabase database = client.getDatabase(DATABASE).withWriteConcern(WriteConcern.MAJORITY);
    return database.getCollection(name);
  }

  void start(String uri, SplittableGenerator random) {
    // All members: a secondary that is behind may be read, and would truly have none yet.
    kept.withWriteConcern(new WriteConcern(members))
        .insertMany(
            IntStream.range(0, KEPT_COUNT)
                .mapToObj(i -> new Document("_id", i).append("k", i).append("n", 0))
                .toList());
    start("reader of primaries", uri, random, (from, choices) -> read(of(from, KEPT), choices));
    start(
        "reader of secondaries",
        uri,
        random,
        (from, choices) -> read(of(from, KEPT).withReadPreference(secondaries), choices));
    start("writer", uri, random, this::write);
    start("transfers", uri, random, MigrationClients::transfer);
    start("sums", uri, random, (from, choices) -> sum(from));
  }

  private void start(String name, String uri, SplittableGenerator random, Work work) {
    var done = new AtomicInteger();
    steps.put(name, done);
    SplittableGenerator choices = random.split();
    threads.start(name, each -> new Worker(name, uri, choices, work, done, strict));
  }

  /** Says which client failed. */
  private record Worker(
      String name,
      MongoClient client,
      RandomGenerator random,
      Work work,
      AtomicInteger done,
      boolean strict)
      implements ClientThreads.Client {

    Worker(
        String name,
        String uri,
        RandomGenerator random,
        Work work,
        AtomicInteger done,
        boolean strict) {
      this(name, MongoClients.create(ClusterLoad.settings(uri)), random, work, done, strict);
    }

    @Override
    public void step() {
      try {
        work.run(client, random);
        done.incrementAndGet();
      } catch (MongoException e) {
        if (strict) {
          throw finding(e);
        }
      } catch (AssertionError e) {
        throw finding(e);
      }
    }

    private AssertionError finding(Throwable e) {
      return new AssertionError("%s, step %d: %s".formatted(name, done.get(), e), e);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** How often each client has done its work. */
  Map<String, Integer> steps() {
    var now = new TreeMap<String, Integer>();
    steps.forEach((name, done) -> now.put(name, done.get()));
    return now;
  }

  /** Whether each client has done its work once more, or one has failed. */
  boolean haveGoneOn(Map<String, Integer> before) {
    Map<String, Integer> now = steps();
    return endedEarly()
        || before.entrySet().stream().allMatch(each -> now.get(each.getKey()) > each.getValue());
  }

  boolean endedEarly() {
    return threads.endedEarly();
  }

  /** Ends the clients; fails with what one of them found. */
  void stop() {
    threads.stop();
  }

  @Override
  public void close() {
    threads.close();
    client.close();
  }

  private static void read(MongoCollection<Document> kept, RandomGenerator random) {
    assertThat(kept.estimatedDocumentCount()).as("count").isEqualTo(KEPT_COUNT);
    assertThat(kept.countDocuments()).as("countDocuments").isEqualTo(KEPT_COUNT);
    assertThat(kept.countDocuments(Filters.gte("k", 50))).isEqualTo(KEPT_COUNT - 50);
    assertThat(ids(kept, 1_000)).as("scan").isEqualTo(keptIds());
    Document group =
        kept.aggregate(
                List.of(
                    Aggregates.group(
                        null, Accumulators.sum("count", 1), Accumulators.sum("k", "$k"))))
            .first();
    assertThat(group.getInteger("count")).as("$group").isEqualTo(KEPT_COUNT);
    assertThat(group.getInteger("k")).isEqualTo(KEPT_COUNT * (KEPT_COUNT - 1) / 2);
    int key = random.nextInt(KEPT_COUNT);
    assertThat(kept.find(eq("k", key)).first()).as("find of %d", key).containsEntry("_id", key);
    List<Integer> read;
    try {
      read = ids(kept, 30);
    } catch (MongoException e) {
      return; // Drivers do not repeat getMore, whose cursor has gone with its server.
    }
    assertThat(read).as("scan in batches").isEqualTo(keptIds());
  }

  private static List<Integer> ids(MongoCollection<Document> collection, int batch) {
    List<Integer> ids =
        collection
            .find()
            .batchSize(batch)
            .map(each -> each.getInteger("_id"))
            .into(new ArrayList<>());
    ids.sort(null);
    return ids;
  }

  private static List<Integer> keptIds() {
    return IntStream.range(0, KEPT_COUNT).boxed().toList();
  }

  /** Inserts, increments or deletes one document, and counts all of them. */
  private void write(MongoClient from, RandomGenerator random) {
    MongoCollection<Document> own = of(from, OWN);
    settle(own);
    int id = random.nextInt(OWN_KEYS);
    // By its key, or at whatever shard has it.
    Bson one = random.nextBoolean() ? and(eq(id), eq("k", id)) : eq(id);
    try (ClientSession session = from.startSession()) {
      Integer before = written.get(id);
      unknown = id;
      if (before == null) {
        own.insertOne(session, new Document("_id", id).append("k", id).append("n", 1));
        written.put(id, 1);
      } else if (random.nextInt(3) == 0) {
        assertThat(own.deleteOne(session, one).getDeletedCount()).as("delete of %d", id).isOne();
        written.remove(id);
      } else {
        assertThat(own.updateOne(session, one, Updates.inc("n", 1)).getModifiedCount())
            .as("update of %d", id)
            .isOne();
        written.put(id, before + 1);
      }
      unknown = NONE;
      for (ReadPreference where : List.of(ReadPreference.primary(), secondaries)) {
        MongoCollection<Document> counted =
            own.withReadPreference(where).withReadConcern(ReadConcern.MAJORITY);
        assertThat(counted.countDocuments(session))
            .as("countDocuments of what was written, on %s", where)
            .isEqualTo(written.size());
      }
    }
  }

  /** Looks whether a write was done whose answer has not come. */
  private void settle(MongoCollection<Document> own) {
    if (unknown == NONE) {
      return;
    }
    Document found = own.find(eq("k", unknown)).first();
    Integer before = written.get(unknown);
    Integer now = found == null ? null : found.getInteger("n");
    assertThat(now)
        .as("the value of %d, which was %s", unknown, before)
        .isIn(before, before == null ? Integer.valueOf(1) : before + 1, before == null ? 1 : null);
    if (now == null) {
      written.remove(unknown);
    } else {
      written.put(unknown, now);
    }
    unknown = NONE;
  }

  /** Keeps the sum of all documents. */
  private static void transfer(MongoClient from, RandomGenerator random) {
    int first = random.nextInt(KEPT_COUNT);
    int second = (first + 1 + random.nextInt(KEPT_COUNT - 1)) % KEPT_COUNT;
    MongoCollection<Document> kept = of(from, KEPT);
    try (ClientSession session = from.startSession()) {
      session.withTransaction(
          () -> {
            kept.updateOne(session, eq("k", first), Updates.inc("n", -1));
            kept.updateOne(session, eq("k", second), Updates.inc("n", 1));
            return null;
          });
    }
  }

  private static void sum(MongoClient from) {
    MongoCollection<Document> kept = of(from, KEPT);
    TransactionOptions snapshot =
        TransactionOptions.builder().readConcern(ReadConcern.SNAPSHOT).build();
    try (ClientSession session = from.startSession()) {
      Document group =
          session.withTransaction(
              () ->
                  kept.aggregate(
                          session,
                          List.of(
                              Aggregates.group(
                                  null, Accumulators.sum("count", 1), Accumulators.sum("n", "$n"))))
                      .first(),
              snapshot);
      assertThat(group.getInteger("count")).as("count of a snapshot").isEqualTo(KEPT_COUNT);
      assertThat(group.getInteger("n")).as("sum of a snapshot").isZero();
    }
  }

  /** After the end: everything is what was written, on primaries and on secondaries. */
  void check() {
    settle(own);
    try (ClientSession session = client.startSession()) {
      // The session has the secondaries wait for what the primaries have shown.
      for (ReadPreference where : List.of(ReadPreference.primary(), secondaries)) {
        var found = new TreeMap<Integer, Integer>();
        for (Document each :
            own.withReadPreference(where).find(session).sort(Sorts.ascending("k"))) {
          assertThat(found.put(each.getInteger("_id"), each.getInteger("n"))).isNull();
        }
        assertThat(found).as("on %s", where).isEqualTo(written);
        assertThat(ids(kept.withReadPreference(where), 1_000)).isEqualTo(keptIds());
      }
    }
    assertThat(own.estimatedDocumentCount()).isEqualTo(written.size());
    assertThat(kept.estimatedDocumentCount()).isEqualTo(KEPT_COUNT);
    sum(client);
  }
}
