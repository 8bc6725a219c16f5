package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCommitLogTest {
  private static final int NEVER_MILLIS = Integer.MAX_VALUE;

  @TempDir Path directory;

  @Test
  void concurrentDurableWritesShareSyncs() throws Exception {
    int threadCount = 8;
    int writesPerThread = 50;
    var allHaveWritten = new CyclicBarrier(threadCount);
    try (Store store =
            Store.open(Store.options(directory).withJournalIntervalMillis(NEVER_MILLIS));
        ExecutorService threads = Executors.newFixedThreadPool(threadCount)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < threadCount; thread++) {
        String name = "t" + thread + " ";
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < writesPerThread; i++) {
                    CommitFuture commit = store.put(Keyspace.RECORDS, name + i, "v");
                    allHaveWritten.await();
                    commit.awaitDurable();
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      assertThat(store.log().syncCount())
          .isPositive()
          .isLessThan((long) threadCount * writesPerThread);
    }
  }

  @Test
  void nothingIsSyncedWithoutNeed() {
    try (Store store =
        Store.open(Store.options(directory).withJournalIntervalMillis(NEVER_MILLIS))) {
      CommitFuture first = store.put(Keyspace.RECORDS, "a", "1");
      CommitFuture second = store.put(Keyspace.RECORDS, "b", "1");
      first.awaitApplied();
      assertThat(second.position()).isGreaterThan(first.position());
      assertThat(store.log().syncCount()).isZero();
      first.awaitDurable();
      second.awaitDurable();
      store.log().sync();
      assertThat(store.log().syncCount()).isEqualTo(1);
      store.log().submit(new MutationBuilder().build()).awaitDurable();
      assertThat(store.log().syncCount()).as("an empty mutation is no write").isEqualTo(1);
    }
  }

  @Test
  void theJournalSyncsAtItsInterval() {
    try (Store store = Store.open(Store.options(directory).withJournalIntervalMillis(1))) {
      store.put(Keyspace.RECORDS, "a", "1");
      long deadlineNanos = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (store.log().syncCount() == 0) {
        assertThat(System.nanoTime()).isLessThan(deadlineNanos);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void closingSyncsAndRefusesFurtherWrites() {
    try (Store store =
        Store.open(Store.options(directory).withJournalIntervalMillis(NEVER_MILLIS))) {
      store.put(Keyspace.RECORDS, "a", "1");
      store.log().close();
      assertThat(store.log().syncCount()).isEqualTo(1);
      assertThatThrownBy(() -> store.put(Keyspace.RECORDS, "b", "1"))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
      assertThat(store.get(Keyspace.RECORDS, "a")).isEqualTo("1");
    }
  }
}
