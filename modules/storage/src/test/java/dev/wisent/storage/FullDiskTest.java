package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: on a full disk nothing is acknowledged that is not kept, and no thread waits for ever.
 * Method: a small file system, mounted by a child process in a name space of its own, so that it is
 * gone with the child.
 */
class FullDiskTest {
  private static final int NOT_ALLOWED = 77;
  private static final int DISK_MIB = 48;

  /** What is free again at the second start: more than compactions of all the rest can take. */
  private static final int BALLAST_MIB = 32;

  /** Only reached if a thread waits for ever. */
  private static final int SECONDS_MAX = 300;

  private static final int LARGE_BUFFER = 64 << 20;
  private static final int SMALL_BUFFER = 1 << 20;

  @TempDir Path directory;

  @Test
  void theLogFailsAndKeepsWhatWasAcknowledged() throws Exception {
    check(OwnLog.class, LARGE_BUFFER);
  }

  @Test
  void aFlushFailsAndWhatWasAcknowledgedIsKept() throws Exception {
    check(OwnLog.class, SMALL_BUFFER);
  }

  @Test
  void underAReplicatedLogTheStoreIsLeftAtAPositionOfTheLog() throws Exception {
    check(ReplicatedLog.class, SMALL_BUFFER);
  }

  /**
   * @param writeBufferBytes whether it is flushes or the log that fills the disk
   */
  private void check(Class<?> main, int writeBufferBytes) throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    String mountAndRun =
        "mount -t tmpfs -o size=%dm tmpfs \"$0\" || exit %d; exec \"$@\""
            .formatted(DISK_MIB, NOT_ALLOWED);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("unshare", "--mount", "sh", "-c", mountAndRun, disk.toString()));
    command.addAll(ChildWriter.javaCommand(main));
    command.add(disk.toString());
    command.add(Integer.toString(writeBufferBytes));
    Path report = directory.resolve("output");
    Process child;
    try {
      child =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(report.toFile())
              .start();
    } catch (IOException e) {
      assumeTrue(false, "needs unshare");
      return;
    }
    boolean ended = child.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
    if (!ended) {
      child.destroyForcibly().waitFor();
    }
    String output = Files.readString(report);
    assertThat(ended).as("the child ends: %s", output).isTrue();
    assumeTrue(
        child.exitValue() != NOT_ALLOWED && !output.contains("Operation not permitted"),
        "needs the right to mount a small file system");
    assertThat(child.exitValue()).as(output).isZero();
    assertThat(output).contains("acknowledged writes kept");
  }

  private interface Write {
    /** Writes under a key with a number, and returns when that may be acknowledged. */
    void acknowledged(int number, byte[] value);
  }

  /** Returns how many writes were acknowledged before the disk was full. */
  private static int writeUntilFull(int valueBytes, Write write) {
    // Random, because compression would make room for ever; made once, or flushes would be faster.
    byte[] value = new byte[valueBytes];
    new SplittableRandom(1).nextBytes(value);
    for (int acknowledged = 0; ; acknowledged++) {
      try {
        write.acknowledged(acknowledged, value);
      } catch (StorageException e) {
        assertThat(e.kind()).isEqualTo(Kind.FULL);
        assertThat(e).hasMessageContaining("full");
        assertThat(acknowledged).isPositive();
        return acknowledged;
      }
    }
  }

  private static void closeFull(AutoCloseable store) throws Exception {
    try {
      store.close();
    } catch (StorageException e) {
      assertThat(e.kind()).as("IO: \"failed before\"").isIn(Kind.FULL, Kind.IO);
    }
  }

  private static Path fillWithBallast(Path disk) throws IOException {
    return Files.write(disk.resolve("ballast"), new byte[BALLAST_MIB << 20]);
  }

  private static void assertFull(Runnable write) {
    assertThatThrownBy(write::run)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FULL));
  }

  private static byte[] key(int number) {
    return Store.bytes("key" + number);
  }

  /** Runs in the child: a store with a log of its own. */
  public static final class OwnLog {
    public static void main(String[] args) throws Exception {
      Path disk = Path.of(args[0]);
      Path ballast = fillWithBallast(disk);
      StorageOptions options =
          Store.options(disk.resolve("db")).withWriteBufferBytes(Integer.parseInt(args[1]));
      Store store = Store.open(options);
      int acknowledged = fillUntilFull(store);
      Files.delete(ballast);
      // The store is opened again inside the process.
      assertThat(store.engine().hasRoom()).isTrue();
      store.engine().reopenAfterFailure();
      store.log().resume();
      assertThat(store.engine().failure()).isEmpty();
      assertThat(store.log().failure()).isEmpty();
      store.put(Keyspace.RECORDS, "more", "").awaitDurable();
      assertKept(store, acknowledged);
      store.close();
      try (Store again = Store.open(options)) {
        assertKept(again, acknowledged);
        again.put(Keyspace.RECORDS, "more", "").awaitDurable();
      }
      System.out.println(acknowledged + " acknowledged writes kept");
    }

    private static void assertKept(Store store, int acknowledged) {
      for (int i = 0; i < acknowledged; i++) {
        assertThat(store.engine().get(Keyspace.RECORDS, key(i))).as("key " + i).isNotNull();
      }
    }

    private static int fillUntilFull(Store store) {
      int acknowledged =
          writeUntilFull(
              200_000,
              (number, value) ->
                  store
                      .commit(changes -> changes.put(Keyspace.RECORDS, key(number), value))
                      .awaitDurable());
      assertThat(store.log().failure()).isPresent();
      assertThat(store.engine().failure()).isPresent();
      assertThat(store.engine().hasRoom()).isFalse();
      assertFull(() -> store.put(Keyspace.RECORDS, "more", ""));
      assertThat(store.engine().get(Keyspace.RECORDS, key(0))).as("reads go on").isNotNull();
      return acknowledged;
    }
  }

  /**
   * Runs in the child: a store under a replicated log. It writes faster than flushes are made, so
   * that it stands before full memtables in one of six rounds when the disk is full.
   */
  public static final class ReplicatedLog {
    private static final int ROUNDS = 3;

    public static void main(String[] args) throws Exception {
      Path disk = Path.of(args[0]);
      StorageOptions options =
          Store.options(disk.resolve("db"))
              .withWriteBufferBytes(Integer.parseInt(args[1]))
              .withReplicatedLog();
      for (int round = 0; round < ROUNDS; round++) {
        Path ballast = fillWithBallast(disk);
        int applied = fillUntilFull(options);
        Files.delete(ballast);
        checkPosition(options, applied);
        DataDirectory.deleteRecursively(options.dbPath());
      }
      System.out.println("acknowledged writes kept as far as the log says");
    }

    private static void checkPosition(StorageOptions options, int applied) {
      try (StorageEngine engine = StorageEngine.open(options)) {
        long position = engine.appliedPosition().index();
        assertThat(position).isBetween(-1L, applied - 1L);
        for (int i = 0; i <= applied; i++) {
          boolean there = engine.get(Keyspace.RECORDS, key(i)) != null;
          assertThat(there).as("key %d at %d", i, position).isEqualTo(i <= position);
        }
        engine.apply(List.of(), at(applied));
        engine.flush();
      }
    }

    private static int fillUntilFull(StorageOptions options) throws Exception {
      StorageEngine engine = StorageEngine.open(options);
      int applied =
          writeUntilFull(100_000, (number, value) -> engine.apply(put(number, value), at(number)));
      assertFull(() -> engine.apply(put(applied, new byte[0]), at(applied)));
      assertFull(() -> engine.dropRange(Keyspace.RECORDS, key(0), key(1)));
      assertThatThrownBy(engine::flush).isInstanceOf(StorageException.class);
      assertThat(engine.get(Keyspace.RECORDS, key(0))).as("reads go on").isNotNull();
      assertThat(engine.appliedPosition()).isEqualTo(at(applied - 1));
      closeFull(engine);
      return applied;
    }

    private static List<byte[]> put(int number, byte[] value) {
      return List.of(
          new MutationBuilder().put(Keyspace.RECORDS, key(number), value).build().batch());
    }

    private static LogPosition at(int number) {
      return new LogPosition(1, number);
    }
  }
}
