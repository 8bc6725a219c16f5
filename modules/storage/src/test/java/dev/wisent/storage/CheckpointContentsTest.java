package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a checkpoint says of itself, and what its files are known by. */
class CheckpointContentsTest {
  @TempDir Path directory;

  private static List<String> identities(Path checkpoint) throws IOException {
    try (Stream<Path> files = Files.walk(checkpoint)) {
      List<String> found = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        TableFileIdentity.of(file).ifPresent(found::add);
      }
      return found;
    }
  }

  @Test
  void thePositionIsThatOfTheFiles() throws IOException {
    var options = StorageOptions.defaults(directory.resolve("db")).withReplicatedLog();
    try (StorageEngine engine = StorageEngine.open(options)) {
      byte[] first =
          new MutationBuilder(64)
              .put(Keyspace.OPLOG, OplogKeys.entry(5L << 32), bytes("a"))
              .build()
              .batch();
      engine.apply(List.of(first), new LogPosition(2, 17));
      engine.checkpoint(directory.resolve("copy"));
      byte[] second =
          new MutationBuilder(64)
              .put(Keyspace.OPLOG, OplogKeys.entry(6L << 32), bytes("b"))
              .build()
              .batch();
      engine.apply(List.of(second), new LogPosition(2, 18));
    }
    assertThat(CheckpointContents.settle(directory.resolve("copy")))
        .isEqualTo(new CheckpointContents(new LogPosition(2, 17), 5L << 32));
    try (Stream<Path> files = Files.list(directory.resolve("copy/data"))) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("LO"));
    }
  }

  @Test
  void theLogOfAStandaloneBecomesATable() throws IOException {
    Path copy = directory.resolve("copy");
    try (Store store = Store.open(directory.resolve("db"))) {
      for (int i = 0; i < 10; i++) {
        store.put(Keyspace.RECORDS, "a", "1".repeat(100_000));
        store.engine().flush(); // the next log is a file of an earlier one
      }
      store.put(Keyspace.RECORDS, "a", "1");
      store.engine().checkpoint(copy);
    }
    List<String> before = identities(copy);
    assertThat(CheckpointContents.settle(copy))
        .isEqualTo(new CheckpointContents(LogPosition.START, 0));
    assertThat(identities(copy)).containsAll(before);
    try (Stream<Path> files = Files.list(copy.resolve("data"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".log")))
          .allMatch(file -> file.toFile().length() == 0);
    }
    try (Store restored = Store.open(copy)) {
      assertThat(restored.get(Keyspace.RECORDS, "a")).isEqualTo("1");
    }
  }

  @Test
  void filesOfTheSameNumberAreTold() throws IOException {
    List<List<String>> all = new ArrayList<>();
    for (String name : List.of("one", "two")) {
      try (Store store = Store.open(directory.resolve(name))) {
        store.put(Keyspace.RECORDS, "a", "1");
        store.engine().checkpoint(directory.resolve(name + "-1"));
        store.put(Keyspace.RECORDS, "b", "2");
        store.engine().checkpoint(directory.resolve(name + "-2"));
      }
      List<String> first = identities(directory.resolve(name + "-1"));
      assertThat(first).isNotEmpty();
      assertThat(identities(directory.resolve(name + "-2"))).containsAll(first);
      all.add(first);
    }
    assertThat(all.get(0)).doesNotContainAnyElementsOf(all.get(1));
  }
}
