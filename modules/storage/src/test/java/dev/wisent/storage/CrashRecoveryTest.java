package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: nothing acknowledged is lost by SIGKILL. Method: a real process, killed at random, several
 * times.
 */
class CrashRecoveryTest {
  private static final int WRITERS = 4;
  private static final int ROUNDS = 5;

  @TempDir Path directory;

  @Test
  void everyAcknowledgedWriteIsThereAfterSigkill() throws Exception {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Map<Integer, Long> acknowledged;
      try (ChildWriter child = ChildWriter.start(directory, WRITERS)) {
        child.awaitAcknowledged(20 + random.nextInt(1500));
        acknowledged = child.kill();
      }
      assertThat(acknowledged).as("seed %d", seed).isNotEmpty();
      try (Store store = Store.open(directory)) {
        assertThat(store.engine().recovery().orElseThrow().changes()).isPositive();
        acknowledged.forEach((writer, newest) -> verify(store, writer, newest));
      }
      try (Store store = Store.open(directory)) {
        assertThat(store.engine().recovery()).as("after it was closed").isEmpty();
      }
    }
  }

  /** Every write up to the acknowledged one is there whole, and the counter agrees exactly. */
  private static void verify(Store store, int writer, long newestAcknowledged) {
    long written = store.engine().counter(Keyspace.CATALOG, ChildWriter.counterKey(writer));
    assertThat(written).isGreaterThan(newestAcknowledged);
    for (Keyspace keyspace : new Keyspace[] {Keyspace.RECORDS, Keyspace.INDEX}) {
      long found = 0;
      try (KeyValueCursor cursor =
          store
              .engine()
              .cursor(
                  keyspace, RecordKeys.lowerBound(writer), RecordKeys.upperBound(writer), false)) {
        while (cursor.next()) {
          assertThat(RecordKeys.recordId(cursor.key())).isEqualTo(found);
          found++;
        }
      }
      assertThat(found).isEqualTo(written);
    }
  }
}
