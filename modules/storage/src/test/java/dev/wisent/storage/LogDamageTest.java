package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a damaged write-ahead log means at start: torn ends are normal, damage before is not. */
class LogDamageTest {
  private static final int WRITES = 200;
  private static final int SYNCED = 150;

  @TempDir Path directory;
  private Path log;

  /** Leaves a copy of a store that was not closed, so that everything is still in the log. */
  @BeforeEach
  void writeAndCopyWithoutClosing() throws IOException {
    Path original = directory.resolve("original");
    Path copy = directory.resolve("copy");
    // A long interval: only what the test syncs is synced.
    try (Store store = Store.open(Store.options(original).withJournalIntervalMillis(1 << 20))) {
      for (int i = 0; i < WRITES; i++) {
        store.put(Keyspace.RECORDS, "key" + i, "v".repeat(300));
        if (i == SYNCED - 1) {
          store.log().sync();
        }
      }
      try (Stream<Path> files = Files.walk(original)) {
        for (Path file : files.toList()) {
          Files.copy(file, copy.resolve(original.relativize(file).toString()));
        }
      }
    }
    try (Stream<Path> files = Files.list(copy.resolve("data"))) {
      log =
          files
              .filter(file -> file.toString().endsWith(".log"))
              .max(Comparator.comparingLong(file -> file.toFile().length()))
              .orElseThrow();
    }
    assertThat(Files.size(log)).isGreaterThan(WRITES * 300);
  }

  @Test
  void anIntactLogIsReplayed() {
    assertThat(survivors(Store.options(directory.resolve("copy")))).isEqualTo(WRITES);
  }

  @Test
  void aTornLastRecordIsDroppedSilently() throws IOException {
    truncate(Files.size(log) - 17);
    assertThat(survivors(Store.options(directory.resolve("copy")))).isEqualTo(WRITES - 1);
  }

  @Test
  void aLogTornAfterTheLastSyncIsReplayedUpToThere() throws IOException {
    truncate(Files.size(log) * 9 / 10);
    assertThat(survivors(Store.options(directory.resolve("copy")))).isBetween(170, 190);
  }

  /** Pages that were not synced reach the disk in any order when the power fails. */
  @Test
  void damageAfterTheLastSyncIsNormal() throws IOException {
    flipByteAt(Files.size(log) * 9 / 10);
    assertThat(survivors(Store.options(directory.resolve("copy")))).isBetween(170, 190);
  }

  @Test
  void damageBeforeTheLastSyncIsRefusedUnlessRepairIsAskedFor() throws IOException {
    flipByteAt(Files.size(log) / 2);
    damageIsRefusedUnlessRepairIsAskedFor();
  }

  @Test
  void aLogTornBeforeTheLastSyncIsRefusedToo() throws IOException {
    truncate(Files.size(log) / 2);
    damageIsRefusedUnlessRepairIsAskedFor();
  }

  private void damageIsRefusedUnlessRepairIsAskedFor() {
    StorageOptions options = Store.options(directory.resolve("copy"));
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> StorageEngine.open(options))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT));
    }
    assertThat(directory.resolve("copy").resolve(KeptLogs.DAMAGED).resolve(log.getFileName()))
        .as("the log as it was")
        .isRegularFile();
    assertThat(survivors(options.withAcceptDamagedLog(true))).isBetween(90, 110);
    assertThat(survivors(options)).as("repaired for good").isBetween(90, 110);
  }

  private static int survivors(StorageOptions options) {
    try (Store store = Store.open(options)) {
      int count = 0;
      while (store.engine().get(Keyspace.RECORDS, bytes("key" + count)) != null) {
        count++;
      }
      for (int i = count; i < WRITES; i++) {
        assertThat(store.get(Keyspace.RECORDS, "key" + i)).as("no gap").isNull();
      }
      return count;
    }
  }

  private void truncate(long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(length);
    }
  }

  private void flipByteAt(long offset) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(offset);
      int old = file.read();
      file.seek(offset);
      file.write(old ^ 0x55);
    }
  }
}
