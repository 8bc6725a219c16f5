package dev.wisent.database.changestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every stream sees every entry that concerns it once and in order, however small the ring is. */
class SharedTailTest {
  private static final StreamScope ALL = new StreamScope(null, null, false);
  private static final int COLLECTIONS = 4;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final MemoryOplog oplog = new MemoryOplog();

  private static StreamScope collection(int number) {
    return new StreamScope("db", "c" + number, false);
  }

  private static List<Long> drain(OplogSource source) {
    var timestamps = new ArrayList<Long>();
    for (RawDocument entry; (entry = source.next()) != null; ) {
      timestamps.add(entry.get("ts").asInt64());
    }
    return timestamps;
  }

  @Test
  void manyStreamsReadAnEntryOnce() {
    SharedTail tail = oplog.tail(new TailRing(16, 1 << 20));
    var sources = new ArrayList<OplogSource>();
    for (int i = 0; i < 100; i++) {
      sources.add(tail.open(oplog.newest() + 1, ALL));
    }
    for (long ts = 1; ts <= 10; ts++) {
      oplog.insert(ts, "db.c1");
    }
    for (OplogSource source : sources) {
      assertThat(drain(source)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    }
    assertThat(oplog.reads()).isEqualTo(10);
    sources.forEach(OplogSource::close);
  }

  @Test
  void aStreamOfACollectionIsNotGivenOtherEntriesButPassesThem() {
    SharedTail tail = oplog.tail(new TailRing(16, 1 << 20));
    OplogSource source = tail.open(1, collection(1));
    oplog.insert(1, "db.c1");
    oplog.insert(2, "db.c2");
    assertThat(drain(source)).containsExactly(1L);
    assertThat(source.timestamp()).isEqualTo(2);
    source.close();
  }

  /** Migrations rely on it: what is not given at the end of the oplog is never given. */
  @Test
  void aStreamSeesWhatAnotherOneHasReadForIt() throws Exception {
    SharedTail tail = oplog.tail(new TailRing(1 << 14, 1 << 20));
    var stopped = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(1);
        OplogSource source = tail.open(1, collection(1));
        OplogSource other = tail.open(1, ALL)) {
      Future<?> reading =
          threads.submit(
              () -> {
                while (!stopped.get()) {
                  drain(other);
                }
              });
      try {
        for (long ts = 1; ts <= 20_000; ts++) {
          oplog.insert(ts, "db.c1");
          assertThat(drain(source)).containsExactly(ts);
        }
      } finally {
        stopped.set(true);
      }
      reading.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aStreamSaysHowFarItHasRead() {
    SharedTail tail = oplog.tail(new TailRing(1 << 14, 16 << 20));
    OplogSource source = tail.open(1, collection(1));
    assertThat(source.passed()).isZero();
    String large = "x".repeat(100_000);
    for (long ts = 1; ts <= 30; ts++) {
      oplog.append(
          ts,
          entry(
              "{op: 'i', ns: 'db.c2', o: {_id: 1, x: '%s'}, ts: {$timestamp: {t: 0, i: %d}}}"
                  .formatted(large, ts)));
    }
    oplog.insert(31, "db.c1");
    var given = new ArrayList<Long>();
    int looks = 0;
    while (source.passed() < oplog.newest()) {
      given.addAll(drain(source));
      looks++;
    }
    assertThat(given).containsExactly(31L);
    assertThat(looks).isGreaterThan(1);
    source.close();
  }

  @Test
  void whatIsNotADocumentOfACollectionIsGivenToAll() {
    SharedTail tail = oplog.tail(new TailRing(16, 1 << 20));
    OplogSource source = tail.open(1, collection(1));
    oplog.append(
        1, entry("{op: 'c', ns: 'db.$cmd', o: {drop: 'c2'}, ts: {$timestamp: {t: 0, i: 1}}}"));
    oplog.append(2, entry("{op: 'n', ns: '', o: {}, ts: {$timestamp: {t: 0, i: 2}}}"));
    oplog.append(3, transaction(3, "", "db.c2", "db.c3"));
    oplog.append(4, transaction(4, "", "db.c2", "db.c1"));
    oplog.append(5, transaction(5, "partialTxn: true", "db.c2"));
    assertThat(drain(source)).containsExactly(1L, 4L, 5L);
    source.close();
  }

  /** A merged stream that waits, of which a second one fills the ring. */
  @Test
  void mergedStreamsTellThatATimeIsPassed() throws Exception {
    SharedTail tail = oplog.tail(new TailRing(16, 1 << 20));
    var merged = new StreamScope("db", "c1", false, true);
    try (ExecutorService threads = Executors.newFixedThreadPool(3);
        OplogSource first = tail.open(1, merged);
        OplogSource second = tail.open(1, merged);
        OplogSource plain = tail.open(1, collection(1))) {
      Future<Long> one = threads.submit(() -> passed(first));
      Future<Long> two = threads.submit(() -> passed(second));
      Future<List<Long>> other = threads.submit(() -> entries(plain));
      for (long ts = 1; ts <= 8; ts++) {
        oplog.insert(ts, "db.c2");
      }
      oplog.await(10);
      oplog.insert(9, "db.c2");
      oplog.append(10, entry("{op: 'n', ns: '', o: {}, ts: {$timestamp: {t: 0, i: 10}}}"));
      assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(10);
      assertThat(two.get(60, TimeUnit.SECONDS)).isEqualTo(10);
      oplog.insert(11, "db.c1");
      assertThat(other.get(60, TimeUnit.SECONDS)).containsExactly(11L);
    }
  }

  /** Waits as a stream does until it has passed the time that is awaited. */
  private static long passed(OplogSource source) throws InterruptedException {
    while (true) {
      while (source.next() != null) {
        // All entries are of other collections.
      }
      long awaited = source.awaited();
      if (awaited != 0 && source.timestamp() >= awaited) {
        return source.timestamp();
      }
      source.await(60_000);
    }
  }

  private static List<Long> entries(OplogSource source) throws InterruptedException {
    List<Long> found = drain(source);
    while (found.isEmpty()) {
      source.await(60_000);
      found = drain(source);
    }
    return found;
  }

  private static RawDocument entry(String json) {
    return RawDocument.parse(json);
  }

  private static RawDocument transaction(int ts, String more, String... namespaces) {
    var operations = new ArrayList<String>();
    for (String namespace : namespaces) {
      operations.add("{op: 'i', ns: '" + namespace + "', o: {_id: 1}}");
    }
    String command = "{applyOps: [" + String.join(", ", operations) + "]";
    return entry(
        "{op: 'c', ns: 'admin.$cmd', o: "
            + command
            + (more.isEmpty() ? "" : ", " + more)
            + "}, ts: {$timestamp: {t: 0, i: "
            + ts
            + "}}}");
  }

  @Test
  void aStreamThatIsOvertakenReadsTheStore() {
    SharedTail tail = oplog.tail(new TailRing(2, 1 << 20));
    OplogSource slow = tail.open(1, ALL);
    OplogSource fast = tail.open(1, ALL);
    for (long ts = 1; ts <= 20; ts++) {
      oplog.insert(ts, "db.c1");
      assertThat(drain(fast)).containsExactly(ts);
    }
    assertThat(drain(slow)).hasSize(20).isSorted();
    oplog.insert(21, "db.c1");
    assertThat(drain(slow)).containsExactly(21L);
    slow.close();
    fast.close();
  }

  @Test
  void aStreamWhoseEntriesAreGoneFails() {
    SharedTail tail = oplog.tail(new TailRing(2, 1 << 20));
    OplogSource slow = tail.open(1, ALL);
    OplogSource fast = tail.open(1, ALL);
    for (long ts = 1; ts <= 20; ts++) {
      oplog.insert(ts, "db.c1");
    }
    assertThat(slow.next()).isNotNull();
    assertThat(slow.next()).isNotNull();
    assertThat(drain(fast)).hasSize(20);
    oplog.trim(10);
    assertThatThrownBy(slow::next)
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(MemoryOplog.isHistoryLost(e)).isTrue());
    assertThat(drain(fast)).isEmpty();
    slow.close();
    fast.close();
  }

  @Test
  void theRingBeginsAnewWhenItsPlaceIsGone() {
    SharedTail tail = oplog.tail(new TailRing(4, 1 << 20));
    oplog.insert(5, "db.c1");
    OplogSource source = tail.open(6, ALL);
    for (long ts = 6; ts <= 20; ts++) {
      oplog.insert(ts, "db.c1");
    }
    oplog.trim(15);
    OplogSource later = tail.open(21, ALL);
    oplog.insert(21, "db.c1");
    assertThat(drain(later)).containsExactly(21L);
    assertThatThrownBy(source::next).isInstanceOf(CommandException.class);
    source.close();
    later.close();
  }

  @Test
  void aStartInTheFutureIsWaitedFor() {
    SharedTail tail = oplog.tail(new TailRing(4, 1 << 20));
    oplog.insert(1, "db.c1");
    OplogSource source = tail.open(5, ALL);
    oplog.insert(3, "db.c1");
    assertThat(drain(source)).isEmpty();
    assertThat(source.timestamp()).isZero();
    oplog.insert(7, "db.c1");
    assertThat(drain(source)).containsExactly(7L);
    source.close();
  }

  @Test
  void aStreamThatWaitsIsWokenByItsEntries() throws Exception {
    SharedTail tail = oplog.tail(new TailRing(1024, 1 << 20));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      var waits = new ArrayList<Future<Long>>();
      for (int i = 0; i < 16; i++) {
        int number = i;
        waits.add(threads.submit(() -> firstEntryOf(tail, number)));
      }
      for (long ts = 1; ts <= 16; ts++) {
        oplog.insert(ts, "db.c" + (ts - 1));
      }
      for (int i = 0; i < 16; i++) {
        assertThat(waits.get(i).get()).isEqualTo(i + 1);
      }
    }
  }

  private static Long firstEntryOf(SharedTail tail, int number) throws InterruptedException {
    try (OplogSource source = tail.open(1, collection(number))) {
      while (true) {
        RawDocument entry = source.next();
        if (entry == null) {
          source.await(10_000);
        } else if (entry.get("ns").asString().equals("db.c" + number)) {
          // A stream that reads the store is also given entries of others.
          return entry.get("ts").asInt64();
        }
      }
    }
  }

  /** Streams of all kinds come and go while entries come, with rings from tiny to large. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64, 1024})
  void everyStreamSeesEveryEntryOnceAndInOrder(int ringEntries) throws Exception {
    int count = 3_000;
    var random = new SplittableRandom(seed);
    SharedTail tail = oplog.tail(new TailRing(ringEntries, 40L * ringEntries));
    int[] where = random.ints(count + 1, 0, COLLECTIONS).toArray();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      var streams = new ArrayList<Future<Void>>();
      for (int i = 0; i < 8; i++) {
        SplittableRandom own = random.split();
        streams.add(threads.submit(() -> follow(tail, own, where)));
      }
      for (int ts = 1; ts <= count; ts++) {
        oplog.insert(ts, "db.c" + where[ts]);
        if (random.nextInt(50) == 0) {
          Thread.yield();
        }
      }
      for (Future<Void> stream : streams) {
        await(stream);
      }
    }
  }

  private void await(Future<Void> stream) throws Exception {
    try {
      stream.get();
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + seed, e.getCause());
    }
  }

  /** Opens a stream somewhere, reads it to the end with pauses, and reopens it now and then. */
  private static Void follow(SharedTail tail, SplittableRandom random, int[] where)
      throws InterruptedException {
    int collection = random.nextInt(-1, COLLECTIONS);
    StreamScope scope = collection < 0 ? ALL : collection(collection);
    int last = where.length - 1;
    long place = 0;
    while (place < last) {
      try (OplogSource source = tail.open(place + 1, scope)) {
        int entries = random.nextInt(1, 500);
        while (entries-- > 0 && place < last) {
          RawDocument entry = source.next();
          long passed = Math.max(place, source.timestamp());
          long given = entry == null ? passed + 1 : entry.get("ts").asInt64();
          // A stream that reads the store is given all entries, the others those that concern it.
          for (long skipped = place + 1; skipped < given; skipped++) {
            assertThat(concerns(collection, where[(int) skipped])).isFalse();
          }
          place = entry == null ? passed : given;
          if (entry == null && place < last) {
            source.await(random.nextInt(20));
          } else if (random.nextInt(20) == 0) {
            source.detach();
          }
        }
      }
    }
    return null;
  }

  private static boolean concerns(int scope, int collection) {
    return scope < 0 || scope == collection;
  }
}
