package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SstIngestTest {
  private static final int IDENT = 7;
  private static final int ENTRIES = 5_000;

  @TempDir Path directory;

  private static byte[] key(long number) {
    return RecordKeys.recordKey(IDENT, number);
  }

  private static void ingest(Store store, int entries) {
    try (SstIngest ingest = store.engine().newIngest(Keyspace.INDEX)) {
      for (int i = 0; i < entries; i++) {
        ingest.put(key(i), Store.bytes("v" + i));
      }
      ingest.ingest();
    }
  }

  private static long count(ReadView view) {
    long count = 0;
    try (KeyValueCursor cursor =
        view.cursor(
            Keyspace.INDEX, RecordKeys.lowerBound(IDENT), RecordKeys.upperBound(IDENT), false)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void entriesAreThereAtOnceAndCanBeChanged() {
    try (Store store = Store.open(directory)) {
      store.put(Keyspace.INDEX, "zzzz neighbour", "stays");
      ingest(store, ENTRIES);
      assertThat(count(store.engine())).isEqualTo(ENTRIES);
      store.commit(
          changes ->
              changes
                  .delete(Keyspace.INDEX, key(3))
                  .put(Keyspace.INDEX, key(4), Store.bytes("new")));
      assertThat(store.engine().get(Keyspace.INDEX, key(3))).isNull();
      assertThat(Store.text(store.engine().get(Keyspace.INDEX, key(4)))).isEqualTo("new");
      assertThat(Store.text(store.engine().get(Keyspace.INDEX, key(5)))).isEqualTo("v5");
      assertThat(store.get(Keyspace.INDEX, "zzzz neighbour")).isEqualTo("stays");
    }
    try (Store store = Store.open(directory)) {
      assertThat(count(store.engine())).isEqualTo(ENTRIES - 1);
    }
  }

  @Test
  void nothingIsLeftOfOneThatIsGivenUp() throws IOException {
    try (Store store = Store.open(directory)) {
      try (SstIngest ingest = store.engine().newIngest(Keyspace.INDEX)) {
        ingest.put(key(1), new byte[0]);
        assertThatThrownBy(() -> ingest.put(key(0), new byte[0]))
            .isInstanceOf(StorageException.class);
      }
      assertThat(count(store.engine())).isZero();
      try (SstIngest ingest = store.engine().newIngest(Keyspace.INDEX)) {
        ingest.ingest();
      }
    }
    assertThat(temporaryFiles()).isZero();
  }

  @Test
  void closingTheEngineEndsOneThatIsUnderWay() {
    Store store = Store.open(directory);
    try (SstIngest ingest = store.engine().newIngest(Keyspace.INDEX)) {
      ingest.put(key(1), new byte[0]);
      store.close();
      assertThatThrownBy(ingest::ingest)
          .isInstanceOfSatisfying(
              StorageException.class,
              e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.CLOSED));
    }
  }

  /**
   * Entries that come past the log take a sequence number, which the log does not know. A copy of
   * the directory is what a dead process leaves.
   */
  @Test
  void aStoreThatWasNotClosedOpensAgain(@TempDir Path copies) throws IOException {
    try (Store store = Store.open(directory)) {
      // Too few files for a compaction, which would remove some while they are copied.
      for (int round = 0; round < 3; round++) {
        store.put(Keyspace.RECORDS, "before" + round, "1").awaitDurable();
        try (SstIngest ingest = store.engine().newIngest(Keyspace.INDEX)) {
          // The first key again and again: only what overlaps gets a number of its own.
          ingest.put(key(0), new byte[0]);
          ingest.put(key(round + 1), new byte[0]);
          ingest.ingest();
        }
        assertOpens(copy(copies.resolve("at-once" + round)), round, false);
        store.put(Keyspace.RECORDS, "after" + round, "1").awaitDurable();
        assertOpens(copy(copies.resolve("later" + round)), round, true);
      }
    }
  }

  private static void assertOpens(Path copy, int round, boolean later) {
    try (Store store = Store.open(copy)) {
      assertThat(count(store.engine())).isEqualTo(round + 2);
      assertThat(store.get(Keyspace.RECORDS, "before" + round)).isEqualTo("1");
      assertThat(store.get(Keyspace.RECORDS, "after" + round)).isEqualTo(later ? "1" : null);
    }
  }

  private Path copy(Path target) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(directory.relativize(file).toString()));
      }
    }
    return target;
  }

  @Test
  void filesOfADeadProcessAreRemovedAtTheStart() throws IOException {
    try (Store store = Store.open(directory)) {
      Files.writeString(store.engine().temporaryFiles().newName("sort"), "unfinished");
    }
    assertThat(temporaryFiles()).isEqualTo(1);
    Store.open(directory).close();
    assertThat(temporaryFiles()).isZero();
  }

  private long temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve(TemporaryFiles.DIRECTORY))) {
      return files.count();
    }
  }
}
