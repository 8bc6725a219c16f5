package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: on a full disk nothing is acknowledged that is not kept. Method: a small file system,
 * mounted by a child process in a name space of its own, so that it is gone with the child.
 */
class FullDiskTest {
  private static final int NOT_ALLOWED = 77;

  @TempDir Path directory;

  @Test
  void theLogFailsAndKeepsWhatWasAcknowledged() throws Exception {
    check(64 << 20);
  }

  @Test
  @Disabled("once in thirty runs writers wait for a flush that can never be made")
  void aFlushFailsAndWhatWasAcknowledgedIsKept() throws Exception {
    check(1 << 20);
  }

  /**
   * @param writeBufferBytes whether it is flushes or the log that fills the disk
   */
  private void check(int writeBufferBytes) throws Exception {
    String mountAndRun =
        "mount -t tmpfs -o size=24m tmpfs \"$0\" || exit " + NOT_ALLOWED + "; exec \"$@\"";
    List<String> command = new ArrayList<>();
    command.addAll(List.of("unshare", "--mount", "sh", "-c", mountAndRun, directory.toString()));
    command.addAll(ChildWriter.javaCommand(Main.class));
    command.add(directory.toString());
    command.add(Integer.toString(writeBufferBytes));
    Process child;
    try {
      child = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(false, "needs unshare");
      return;
    }
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = child.waitFor();
    assumeTrue(
        exit != NOT_ALLOWED && !output.contains("Operation not permitted"),
        "needs the right to mount a small file system");
    assertThat(exit).as(output).isZero();
    assertThat(output).contains("acknowledged writes kept");
  }

  /** Runs in the child. */
  public static final class Main {
    public static void main(String[] args) throws IOException {
      Path disk = Path.of(args[0]);
      Path ballast = Files.write(disk.resolve("ballast"), new byte[8 << 20]);
      StorageOptions options =
          Store.options(disk.resolve("db")).withWriteBufferBytes(Integer.parseInt(args[1]));
      int acknowledged = fillUntilFull(options);
      Files.delete(ballast);
      try (Store store = Store.open(options)) {
        for (int i = 0; i < acknowledged; i++) {
          assertThat(store.get(Keyspace.RECORDS, "key" + i)).as("key " + i).isNotNull();
        }
      }
      System.out.println(acknowledged + " acknowledged writes kept");
    }

    private static int fillUntilFull(StorageOptions options) {
      Store store = Store.open(options);
      int acknowledged = writeUntilFailure(store);
      assertThat(acknowledged).isPositive();
      assertThat(store.log().failure()).isPresent();
      assertThatThrownBy(() -> store.put(Keyspace.RECORDS, "more", ""))
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FULL));
      assertThat(store.get(Keyspace.RECORDS, "key0")).as("reads go on").isNotNull();
      try {
        store.close();
      } catch (StorageException e) {
        assertThat(e.kind()).as("IO: \"failed before\"").isIn(Kind.FULL, Kind.IO);
      }
      return acknowledged;
    }

    private static int writeUntilFailure(Store store) {
      // Random, because compression would make room for ever.
      SplittableRandom random = new SplittableRandom(1);
      byte[] value = new byte[200_000];
      for (int acknowledged = 0; ; acknowledged++) {
        random.nextBytes(value);
        byte[] key = Store.bytes("key" + acknowledged);
        try {
          store.commit(changes -> changes.put(Keyspace.RECORDS, key, value)).awaitDurable();
        } catch (StorageException e) {
          assertThat(e.kind()).isEqualTo(Kind.FULL);
          assertThat(e).hasMessageContaining("full");
          return acknowledged;
        }
      }
    }
  }
}
