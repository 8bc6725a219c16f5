package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

class RecordCacheTest {
  private static final int IDENT = 3;
  private static final long RECORD = 7;

  /** All of them are remembered, so readers that stand still must not let them become too many. */
  private static final int VERSIONS_MAX = 500_000;

  private final RecordCache cache = new RecordCache(1 << 20);

  @Test
  void keepsWhatWasReadWhileNobodyWrote() {
    readTwice(10, version(1));

    assertThat(find(RecordCache.NEWEST)).isEqualTo(version(1));
    assertThat(find(10)).isEqualTo(version(1));
    assertThat(cache.find(IDENT, RECORD + 1, 10)).isNull();
    assertThat(cache.find(IDENT + 1, RECORD, 10)).isNull();
  }

  @Test
  void doesNotServeWhatIsAboutToChange() {
    readTwice(10, version(1));
    cache.beginWrite(IDENT, RECORD);

    assertThat(find(RecordCache.NEWEST)).isNull();
    assertThat(find(10)).isNull();
  }

  @Test
  void doesNotKeepWhatWasReadBesideOrBeforeAWrite() {
    cache.beginWrite(IDENT, RECORD);
    readTwice(10, version(1));
    cache.endWrite(IDENT, RECORD, 11);
    readTwice(10, version(1));

    assertThat(find(RecordCache.NEWEST)).isNull();

    cache.keep(IDENT, RECORD, 11, version(2));
    assertThat(find(RecordCache.NEWEST)).isEqualTo(version(2));
  }

  @Test
  void knowsTheVersionThatWasCommittedAndSinceWhen() {
    cache.beginWrite(IDENT, RECORD);
    cache.endWrite(IDENT, RECORD, 11, version(2));

    assertThat(find(RecordCache.NEWEST)).isEqualTo(version(2));
    assertThat(find(11)).isEqualTo(version(2));
    assertThat(find(10)).isNull();
  }

  @Test
  void keepsNothingThatIsReadOnce() {
    cache.keep(IDENT, RECORD, 10, version(1));

    assertThat(find(RecordCache.NEWEST)).isNull();
  }

  private void readTwice(long asOf, RawDocument document) {
    cache.keep(IDENT, RECORD, asOf, document);
    cache.keep(IDENT, RECORD, asOf, document);
  }

  @Test
  void leavesLargeDocumentsAlone() {
    RawDocument large = RawDocument.parse("{s: '" + "x".repeat(100_000) + "'}");
    readTwice(10, large);

    assertThat(find(RecordCache.NEWEST)).isNull();
  }

  @Test
  void knowsWhichRecordHasAnId() {
    cache.keepId(new byte[] {1, 2}, RECORD);

    assertThat(cache.findId(new byte[] {1, 2})).isEqualTo(RECORD);
    assertThat(cache.findId(new byte[] {1, 3})).isEqualTo(-1);
  }

  /** What a record has been: each version with the change of the store that made it. */
  private record History(int version, long since, History before) {
    int asOf(long sequence) {
      History version = this;
      while (version.since() > sequence) {
        version = version.before();
      }
      return version.version();
    }
  }

  /**
   * Writers raise versions of a few records in a store beside the cache; readers of the newest
   * state never see a version older than one they know to be committed, and readers of a snapshot
   * see exactly the version of their snapshot.
   */
  @Test
  void servesEveryReaderItsVersion() throws Exception {
    int records = 4;
    var sequence = new AtomicLong();
    var store = new AtomicReferenceArray<History>(records);
    for (int record = 0; record < records; record++) {
      store.set(record, new History(0, 0, null));
    }
    var rounds = new AtomicInteger(200_000);
    try (var threads = Executors.newFixedThreadPool(2 * records)) {
      var running = new ArrayList<Future<?>>();
      for (int each = 0; each < records; each++) {
        int record = each;
        running.add(threads.submit(() -> write(record, sequence, store, rounds)));
        running.add(threads.submit(() -> read(records, sequence, store, rounds)));
      }
      for (Future<?> each : running) {
        each.get(240, TimeUnit.SECONDS);
      }
    }
  }

  private void write(
      int record, AtomicLong sequence, AtomicReferenceArray<History> store, AtomicInteger rounds) {
    for (int next = 1; next <= VERSIONS_MAX && rounds.get() > 0; next++) {
      cache.beginWrite(IDENT, record);
      synchronized (store) {
        store.set(record, new History(next, sequence.get() + 1, store.get(record)));
        sequence.incrementAndGet();
      }
      if (next % 3 == 0) {
        cache.endWrite(IDENT, record, sequence.get());
      } else {
        cache.endWrite(IDENT, record, sequence.get(), version(next));
      }
    }
  }

  private void read(
      int records, AtomicLong sequence, AtomicReferenceArray<History> store, AtomicInteger rounds) {
    int round;
    while ((round = rounds.getAndDecrement()) > 0) {
      int record = round & (records - 1);
      long asOf = sequence.get();
      int expected = store.get(record).asOf(asOf);
      if ((round & 4) == 0) {
        assertThat(readThrough(record, asOf, expected)).isEqualTo(expected);
      } else {
        RawDocument cached = cache.find(IDENT, record, RecordCache.NEWEST);
        int seen = cached != null ? cached.get("v").asInt32() : store.get(record).version();
        assertThat(seen).isGreaterThanOrEqualTo(expected);
      }
    }
  }

  private int readThrough(int record, long asOf, int stored) {
    RawDocument cached = cache.find(IDENT, record, asOf);
    if (cached != null) {
      return cached.get("v").asInt32();
    }
    cache.keep(IDENT, record, asOf, version(stored));
    return stored;
  }

  private RawDocument find(long asOf) {
    return cache.find(IDENT, RECORD, asOf);
  }

  private static RawDocument version(int version) {
    return RawDocument.parse("{v: " + version + "}");
  }
}
