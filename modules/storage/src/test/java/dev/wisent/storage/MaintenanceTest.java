package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaintenanceTest {
  private static final int RECORDS = 2000;
  private static final int RECORD_BYTES = 1000;

  @TempDir Path directory;
  private Store store;

  @BeforeEach
  void open() {
    store = Store.open(directory.resolve("db"));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aCheckpointIsACompleteStoreOfItsOwn() {
    store.put(Keyspace.RECORDS, "a", "1");
    store.commit(changes -> changes.add(Keyspace.CATALOG, bytes("n"), 7));
    Path copy = directory.resolve("backup/today");
    store.engine().checkpoint(copy);
    store.put(Keyspace.RECORDS, "a", "2");
    try (Store backup = Store.open(copy)) {
      assertThat(backup.get(Keyspace.RECORDS, "a")).isEqualTo("1");
      assertThat(backup.engine().counter(Keyspace.CATALOG, bytes("n"))).isEqualTo(7);
      backup.put(Keyspace.RECORDS, "a", "3");
    }
    assertThat(store.get(Keyspace.RECORDS, "a")).isEqualTo("2");
    assertThatThrownBy(() -> store.engine().checkpoint(copy))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_WRITABLE));
  }

  @Test
  void approximateBytesCountMemoryAndFiles() {
    fill(1);
    long inMemory = bytesOf(1);
    assertThat(inMemory).isBetween(RECORDS * RECORD_BYTES / 2L, RECORDS * RECORD_BYTES * 3L);
    store.engine().flush();
    assertThat(bytesOf(1)).isBetween(RECORDS * RECORD_BYTES / 2L, RECORDS * RECORD_BYTES * 2L);
    assertThat(bytesOf(2)).isLessThan(RECORD_BYTES);
    assertThat(store.engine().approximateBytes(Keyspace.RECORDS, null, null))
        .isGreaterThanOrEqualTo(bytesOf(1));
    assertThat(store.engine().diskBytes()).isGreaterThan(RECORDS * RECORD_BYTES / 2L);
  }

  @Test
  void droppingARangeFreesItsFilesAndLeavesTheNeighbours() {
    fillAndCompact();
    long before = liveBytes();
    store.engine().dropRange(Keyspace.RECORDS, RecordKeys.lowerBound(2), RecordKeys.upperBound(2));
    assertThat(count(store.engine(), 2)).isZero();
    assertThat(count(store.engine(), 1)).isEqualTo(RECORDS);
    assertThat(count(store.engine(), 3)).isEqualTo(RECORDS);
    assertThat(liveBytes()).as("without compaction").isLessThan(before * 4 / 5);
    store.close();
    store = Store.open(directory.resolve("db"));
    assertThat(count(store.engine(), 2)).isZero();
    assertThat(count(store.engine(), 3)).isEqualTo(RECORDS);
  }

  @Test
  void aDroppedRangeStaysReadableInOlderSnapshots() {
    fillAndCompact();
    long before = liveBytes();
    try (Snapshot old = store.engine().snapshot();
        KeyValueCursor cursor =
            store.engine().cursor(Keyspace.RECORDS, RecordKeys.lowerBound(2), null, false)) {
      store
          .engine()
          .dropRange(Keyspace.RECORDS, RecordKeys.lowerBound(2), RecordKeys.upperBound(2));
      store.engine().flush();
      assertThat(count(old, 2)).isEqualTo(RECORDS);
      assertThat(count(store.engine(), 2)).isZero();
      try (Snapshot later = store.engine().snapshot()) {
        assertThat(count(later, 2)).isZero();
      }
      assertThat(count(old, 2)).as("a newer snapshot's end changes nothing").isEqualTo(RECORDS);
      assertThat(liveBytes()).isGreaterThan(before * 4 / 5);
      old.close();
      assertThat(liveBytes()).as("freed with the snapshot").isLessThan(before * 4 / 5);
      for (int i = 0; i < RECORDS * 2; i++) {
        assertThat(cursor.next()).as("an open cursor keeps its files").isTrue();
      }
    }
    assertThat(count(store.engine(), 2)).isZero();
    assertThat(count(store.engine(), 1)).isEqualTo(RECORDS);
  }

  @Test
  void propertiesReportUse() {
    fill(1);
    assertThat(store.engine().properties())
        .containsEntry("cache.capacityBytes", 8L << 20)
        .containsEntry("snapshots.open", 0L)
        .containsEntry("errors.background", 0L)
        .containsKeys("memtable.bytes", "files.liveBytes", "records.keys", "index.files.liveBytes");
    assertThat(store.engine().properties().get("records.memtable.bytes"))
        .isGreaterThan(RECORDS * RECORD_BYTES / 4L);
    try (Snapshot snapshot = store.engine().snapshot()) {
      assertThat(snapshot.sequence()).isPositive();
      assertThat(store.engine().properties()).containsEntry("snapshots.open", 1L);
    }
  }

  /** Compacts each ident alone, so that each has files of its own. */
  private void fillAndCompact() {
    for (int ident = 1; ident <= 3; ident++) {
      fill(ident);
      store.engine().flush();
      store
          .engine()
          .compact(Keyspace.RECORDS, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
    }
  }

  /** Random bytes, so that compression does not hide sizes. */
  private void fill(int ident) {
    SplittableRandom random = new SplittableRandom(ident);
    MutationBuilder builder = new MutationBuilder();
    for (int i = 0; i < RECORDS; i++) {
      byte[] value = new byte[RECORD_BYTES];
      random.nextBytes(value);
      builder.put(Keyspace.RECORDS, RecordKeys.recordKey(ident, i), value);
    }
    store.log().submit(builder.build());
  }

  private long bytesOf(int ident) {
    return store
        .engine()
        .approximateBytes(
            Keyspace.RECORDS, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident));
  }

  private long liveBytes() {
    return store.engine().properties().get("records.files.liveBytes");
  }

  private static int count(ReadView view, int ident) {
    int count = 0;
    try (KeyValueCursor cursor =
        view.cursor(
            Keyspace.RECORDS, RecordKeys.lowerBound(ident), RecordKeys.upperBound(ident), false)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }
}
