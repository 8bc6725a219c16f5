package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** Goal: closing never frees memory in use. A failure here is a crash of the whole JVM. */
class CloseWhileReadingTest {
  private interface Work {
    void step(Store store, int i);
  }

  @TempDir Path directory;

  @RepeatedTest(5)
  void everybodyAtWorkEndsWithClosed() throws Exception {
    Store store = Store.open(directory);
    MutationBuilder builder = new MutationBuilder();
    for (int i = 0; i < 1000; i++) {
      builder.put(Keyspace.RECORDS, RecordKeys.recordKey(1, i), new byte[200]);
    }
    store.log().submit(builder.build());
    List<Work> works =
        List.of(
            CloseWhileReadingTest::get,
            CloseWhileReadingTest::scan,
            CloseWhileReadingTest::readSnapshot,
            CloseWhileReadingTest::write,
            (s, i) -> s.engine().compact(Keyspace.RECORDS, null, null),
            (s, i) -> s.engine().properties());
    CountDownLatch atWork = new CountDownLatch(works.size());
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> workers = new ArrayList<>();
      for (Work work : works) {
        workers.add(
            threads.submit(
                () -> {
                  for (int i = 0; ; i++) {
                    work.step(store, i);
                    atWork.countDown();
                  }
                }));
      }
      atWork.await();
      store.engine().close();
      for (Future<?> worker : workers) {
        assertThatThrownBy(worker::get)
            .isInstanceOf(ExecutionException.class)
            .cause()
            .isInstanceOfSatisfying(
                StorageException.class,
                e -> assertThat(e.kind()).as(e.toString()).isEqualTo(Kind.CLOSED));
      }
    }
    store.log().close();
    Store.open(directory).close();
  }

  private static void get(Store store, int i) {
    byte[] dest = new byte[300];
    byte[] key = RecordKeys.recordKey(1, i % 1000);
    assertThat(store.engine().get(Keyspace.RECORDS, key, key.length, dest)).isEqualTo(200);
  }

  private static void scan(Store store, int i) {
    try (KeyValueCursor cursor = store.engine().cursor(Keyspace.RECORDS, null, null, i % 2 == 0)) {
      while (cursor.next()) {
        assertThat(cursor.keyLength()).isEqualTo(12);
        assertThat(cursor.valueLength()).isEqualTo(200);
      }
    }
  }

  private static void readSnapshot(Store store, int i) {
    try (Snapshot snapshot = store.engine().snapshot()) {
      byte[] key = RecordKeys.recordKey(1, i % 1000);
      for (int read = 0; read < 10; read++) {
        assertThat(snapshot.get(Keyspace.RECORDS, key)).hasSize(200);
      }
    }
  }

  private static void write(Store store, int i) {
    store.commit(
        changes -> changes.put(Keyspace.RECORDS, RecordKeys.recordKey(1, i % 1000), new byte[200]));
  }
}
