package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class RecordCacheTest {
  private static final byte[] KEY = "k".getBytes(StandardCharsets.UTF_8);

  private final RecordCache cache = new RecordCache(1 << 20);

  @Test
  void keepsWhatWasReadWhileNobodyWrote() {
    cache.keep(KEY, cache.stamp(KEY), 7, version(1));

    assertThat(cache.find(KEY).recordId()).isEqualTo(7);
    assertThat(cache.find(KEY).toDocument()).isEqualTo(version(1));
  }

  @Test
  void forgetsWhatIsAboutToChange() {
    cache.keep(KEY, cache.stamp(KEY), 7, version(1));
    cache.beginWrite(KEY);

    assertThat(cache.find(KEY)).isNull();
  }

  @Test
  void doesNotKeepWhatWasReadBesideAWrite() {
    long before = cache.stamp(KEY);
    cache.beginWrite(KEY);
    long during = cache.stamp(KEY);
    cache.keep(KEY, before, 7, version(1));
    cache.keep(KEY, during, 7, version(1));
    cache.endWrite(KEY);
    cache.keep(KEY, before, 7, version(1));
    cache.keep(KEY, during, 7, version(1));

    assertThat(cache.find(KEY)).isNull();
  }

  @Test
  void knowsTheVersionThatWasCommitted() {
    cache.beginWrite(KEY);
    cache.endWrite(KEY, 7, version(2));

    assertThat(cache.find(KEY).toDocument()).isEqualTo(version(2));
  }

  @Test
  void leavesLargeDocumentsAlone() {
    RawDocument large = RawDocument.parse("{s: '" + "x".repeat(100_000) + "'}");
    cache.keep(KEY, cache.stamp(KEY), 7, large);

    assertThat(cache.find(KEY)).isNull();
  }

  /**
   * Writers raise versions of a few keys in a store beside the cache; readers that go through the
   * cache never see a version older than one they know to be committed.
   */
  @Test
  void neverServesAnOldVersion() throws Exception {
    int keys = 4;
    var store = new AtomicIntegerArray(keys);
    var acknowledged = new AtomicIntegerArray(keys);
    var rounds = new AtomicInteger(200_000);
    try (var threads = Executors.newFixedThreadPool(4)) {
      var running = new ArrayList<Future<?>>();
      for (int writer = 0; writer < keys; writer++) {
        int key = writer;
        running.add(threads.submit(() -> write(key, store, acknowledged, rounds)));
      }
      try (var readers = Executors.newFixedThreadPool(4)) {
        for (int reader = 0; reader < 4; reader++) {
          running.add(readers.submit(() -> read(keys, store, acknowledged, rounds)));
        }
        for (Future<?> each : running) {
          each.get(60, TimeUnit.SECONDS);
        }
      }
    }
  }

  private void write(
      int key, AtomicIntegerArray store, AtomicIntegerArray acknowledged, AtomicInteger rounds) {
    byte[] idKey = idKey(key);
    while (rounds.get() > 0) {
      int next = store.get(key) + 1;
      cache.beginWrite(idKey);
      store.set(key, next);
      if (next % 3 == 0) {
        cache.endWrite(idKey);
      } else {
        cache.endWrite(idKey, key, version(next));
      }
      acknowledged.set(key, next);
    }
  }

  private void read(
      int keys, AtomicIntegerArray store, AtomicIntegerArray acknowledged, AtomicInteger rounds) {
    while (rounds.getAndDecrement() > 0) {
      int key = rounds.get() & (keys - 1);
      byte[] idKey = idKey(key);
      int known = acknowledged.get(key);
      RecordCache.Entry entry = cache.find(idKey);
      int seen;
      if (entry != null) {
        seen = entry.toDocument().get("v").asInt32();
      } else {
        long stamp = cache.stamp(idKey);
        seen = store.get(key);
        cache.keep(idKey, stamp, key, version(seen));
      }
      assertThat(seen).isGreaterThanOrEqualTo(known);
    }
  }

  private static byte[] idKey(int key) {
    return new byte[] {(byte) key};
  }

  private static RawDocument version(int version) {
    return RawDocument.parse("{v: " + version + "}");
  }
}
