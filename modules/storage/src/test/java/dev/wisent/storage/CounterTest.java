package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterTest {
  private static final byte[] KEY = bytes("counter");

  @TempDir Path directory;

  @Test
  void startsAtZeroAndGoesBelowIt() {
    try (Store store = Store.open(directory)) {
      assertThat(counter(store)).isZero();
      add(store, -3);
      assertThat(counter(store)).isEqualTo(-3);
      add(store, Long.MAX_VALUE);
      assertThat(counter(store)).isEqualTo(Long.MAX_VALUE - 3);
      store.commit(changes -> changes.delete(Keyspace.CATALOG, KEY));
      assertThat(counter(store)).isZero();
      add(store, 2);
      assertThat(counter(store)).isEqualTo(2);
    }
    try (Store store = Store.open(directory)) {
      assertThat(counter(store)).isEqualTo(2);
      store.put(Keyspace.CATALOG, "text", "text");
      assertThatThrownBy(() -> store.engine().counter(Keyspace.CATALOG, bytes("text")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void isExactWhenManyThreadsAddDuringFlushesAndSnapshots() throws Exception {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    AtomicLong expected = new AtomicLong();
    try (Store store = Store.open(directory);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> adders = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        SplittableRandom random = new SplittableRandom(seed + thread);
        adders.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 2000; i++) {
                    long delta = random.nextLong(-100, 200);
                    add(store, delta);
                    expected.addAndGet(delta);
                    if (i % 500 == 250) {
                      try (Snapshot snapshot = store.engine().snapshot()) {
                        long fixed = snapshot.counter(Keyspace.CATALOG, KEY);
                        store.engine().flush();
                        assertThat(snapshot.counter(Keyspace.CATALOG, KEY)).isEqualTo(fixed);
                      }
                    }
                  }
                }));
      }
      for (Future<?> adder : adders) {
        adder.get();
      }
      assertThat(counter(store)).as("seed %d", seed).isEqualTo(expected.get());
      store.engine().compact(Keyspace.CATALOG, null, null);
      assertThat(counter(store)).as("seed %d", seed).isEqualTo(expected.get());
    }
    try (Store store = Store.open(directory)) {
      assertThat(counter(store)).as("seed %d", seed).isEqualTo(expected.get());
    }
  }

  private static void add(Store store, long delta) {
    store.commit(changes -> changes.add(Keyspace.CATALOG, KEY, delta));
  }

  private static long counter(Store store) {
    return store.engine().counter(Keyspace.CATALOG, KEY);
  }
}
