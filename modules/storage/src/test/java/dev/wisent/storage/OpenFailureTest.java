package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Status.Code;

class OpenFailureTest {
  @TempDir Path directory;

  @Test
  void aSecondEngineOfTheSameProcessIsRefusedAndTheFirstGoesOn() {
    try (Store first = Store.open(directory)) {
      assertFails(directory, Kind.LOCKED)
          .hasMessageContaining("in use by process " + ProcessHandle.current().pid());
      first.put(Keyspace.RECORDS, "a", "1");
      assertThat(first.get(Keyspace.RECORDS, "a")).isEqualTo("1");
      assertFails(directory, Kind.LOCKED);
    }
    Store.open(directory).close();
    assertThat(directory.resolve(DataDirectory.LOCK_FILE)).isEmptyFile();
  }

  @Test
  void anEngineOfAnotherProcessLocksTheDirectory() throws Exception {
    try (ChildWriter child = ChildWriter.start(directory, 1)) {
      child.awaitAcknowledged(1);
      assertFails(directory, Kind.LOCKED).hasMessageContaining("in use by process " + child.pid());
    }
    Store.open(directory).close();
  }

  @Test
  void anotherFormatVersionIsRefused() throws IOException {
    Store.open(directory).close();
    Path format = directory.resolve(DataDirectory.FORMAT_FILE);
    assertThat(format).hasContent("wisent format 1");
    Files.writeString(format, "wisent format 2\n");
    assertFails(directory, Kind.FORMAT)
        .hasMessageContaining("'wisent format 2'")
        .hasMessageContaining(directory.toString());
    Files.writeString(format, "");
    assertFails(directory, Kind.FORMAT);
  }

  @Test
  void aDirectoryOfAnotherProgramIsRefusedAndLeftAlone() throws IOException {
    Path restored = Files.createDirectory(directory.resolve("restored"));
    Files.createFile(restored.resolve("wisent.format.incomplete"));
    assertFails(restored, Kind.FORMAT).hasMessageContaining("Repeat the restore");
    Files.writeString(directory.resolve("WiredTiger"), "WiredTiger");
    assertFails(directory, Kind.FORMAT).hasMessageContaining("'WiredTiger'");
    assertThat(directory.resolve(DataDirectory.FORMAT_FILE)).doesNotExist();
  }

  @Test
  void otherFilesInANewDirectoryDoNotMatter() throws IOException {
    Files.writeString(directory.resolve("server.log"), "");
    Store.open(directory).close();
  }

  @Test
  void keyspacesWithOtherIdsAreRefused() throws Exception {
    new DataDirectory(directory).prepare();
    RocksDB.loadLibrary();
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (Keyspace keyspace : List.of(Keyspace.values()).reversed()) {
      families.add(new ColumnFamilyDescriptor(keyspace.familyNameBytes()));
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (DBOptions options =
            new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
        RocksDB db =
            RocksDB.open(options, directory.resolve("data").toString(), families, handles)) {
      handles.forEach(ColumnFamilyHandle::close);
      assertThat(db.getLatestSequenceNumber()).isZero();
    }
    assertFails(directory, Kind.FORMAT).hasMessageContaining("'catalog' has id 5 instead of 1");
    // The first attempt has left no lock.
    assertFails(directory, Kind.FORMAT).hasMessageContaining("instead of 1");
  }

  @Test
  void aPathThatCannotBeADirectoryIsNotWritable() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertFails(file, Kind.NOT_WRITABLE).hasMessageContaining(file.toString());
    assertFails(file.resolve("below"), Kind.NOT_WRITABLE);
  }

  @Test
  void aDirectoryWithoutWritePermissionIsNotWritable() throws IOException {
    Path readOnly = Files.createDirectory(directory.resolve("readonly"));
    Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(readOnly), "permissions do not bind the superuser");
    assertFails(readOnly, Kind.NOT_WRITABLE);
    assertFails(readOnly.resolve("below"), Kind.NOT_WRITABLE);
  }

  @Test
  void errorsWithoutACodeOfTheirOwnAreRecognisedByTheirText() {
    assertThat(kind(Code.IOError, "While append to file: 000004.log: No space left on device"))
        .isEqualTo(Kind.FULL);
    assertThat(kind(Code.IOError, "While open a file for lock: data/LOCK: Permission denied"))
        .as("not a lock conflict")
        .isEqualTo(Kind.NOT_WRITABLE);
    assertThat(kind(Code.IOError, "While lock file: data/LOCK: Resource temporarily unavailable"))
        .isEqualTo(Kind.LOCKED);
    assertThat(kind(Code.IOError, "While fsync: Input/output error")).isEqualTo(Kind.IO);
    assertThat(kind(Code.Corruption, "block checksum mismatch")).isEqualTo(Kind.CORRUPT);
    assertThat(RocksErrors.kind(new RocksDBException("something"))).isEqualTo(Kind.IO);
  }

  private static Kind kind(Code code, String message) {
    return RocksErrors.kind(
        new RocksDBException(message, new Status(code, Status.SubCode.None, message)));
  }

  private static AbstractThrowableAssert<?, ?> assertFails(Path path, Kind kind) {
    return assertThatThrownBy(() -> StorageEngine.open(Store.options(path)))
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }
}
