package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static dev.wisent.storage.Store.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine whose changes come from a replicated log. */
class ReplicatedLogTest {
  @TempDir Path directory;

  @Test
  void severalBatchesAreAppliedTogetherWithTheirPosition() {
    try (StorageEngine engine = open("db")) {
      assertThat(engine.appliedPosition()).isEqualTo(LogPosition.START);
      engine.apply(List.of(put("a", "1"), put("b", "1"), put("a", "2")), new LogPosition(3, 7));
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("2");
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("b")))).isEqualTo("1");
      assertThat(engine.appliedPosition()).isEqualTo(new LogPosition(3, 7));
    }
    try (StorageEngine engine = open("db")) {
      assertThat(engine.appliedPosition()).isEqualTo(new LogPosition(3, 7));
    }
  }

  @Test
  void aCrashLeavesTheStateOfTheLastFlush() throws IOException {
    try (StorageEngine engine = open("db")) {
      engine.apply(List.of(put("a", "1"), catalog("n", "1")), new LogPosition(1, 1));
      engine.flush();
      engine.apply(List.of(put("a", "2"), catalog("n", "2")), new LogPosition(1, 2));
      crash("db", "crashed");
    }
    try (StorageEngine engine = open("crashed")) {
      assertThat(engine.appliedPosition()).isEqualTo(new LogPosition(1, 1));
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("1");
      assertThat(text(engine.get(Keyspace.CATALOG, bytes("n")))).isEqualTo("1");
    }
  }

  @Test
  void aCrashDoesNotForgetHowFarReadersHaveSeenTheLog() throws IOException {
    try (StorageEngine engine = open("db")) {
      assertThat(engine.seenIndex()).isEqualTo(-1);
      engine.apply(List.of(put("a", "1")), new LogPosition(1, 1));
      engine.flush();
      engine.apply(List.of(put("a", "2")), new LogPosition(1, 2));
      crash("db", "crashed");
    }
    try (StorageEngine engine = open("crashed")) {
      assertThat(engine.appliedPosition().index()).isEqualTo(1);
      assertThat(engine.seenIndex()).isEqualTo(2);
    }
  }

  /** A second crash while the log is applied again must not make it shorter for readers. */
  @Test
  void logThatIsAppliedAgainHasBeenSeenAsFarAsBefore() throws IOException {
    try (StorageEngine engine = open("db")) {
      engine.apply(List.of(put("a", "1")), new LogPosition(1, 1));
      engine.flush();
      engine.apply(List.of(put("a", "9")), new LogPosition(1, 9));
      crash("db", "crashed");
    }
    try (StorageEngine engine = open("crashed")) {
      engine.apply(List.of(put("a", "2")), new LogPosition(1, 2));
      assertThat(engine.seenIndex()).isEqualTo(9);
    }
  }

  @Test
  void contentsOfAnotherNodeHaveBeenSeenAsFarAsTheyGo() {
    try (StorageEngine source = open("source");
        StorageEngine engine = open("db")) {
      source.apply(List.of(put("a", "1")), new LogPosition(1, 5));
      source.checkpoint(directory.resolve("checkpoint"));
      engine.apply(List.of(put("a", "2")), new LogPosition(1, 9));
      engine.replaceContents(directory.resolve("checkpoint"));
      assertThat(engine.seenIndex()).isEqualTo(5);
    }
  }

  /** As a node does that leaves one log and begins another. */
  @Test
  void anotherLogBeginsAnew() {
    try (StorageEngine engine = open("db")) {
      engine.apply(List.of(put("a", "1")), new LogPosition(1, 5));
      engine.enterLog(LogPosition.START);
      assertThat(engine.seenIndex()).isEqualTo(-1);
      assertThat(engine.appliedPosition()).isEqualTo(LogPosition.START);
    }
  }

  /** Memtables fill at different speeds; a full one must take the position of the others along. */
  @Test
  void aFlushOfOneKeyspaceIsAFlushOfAll() throws IOException {
    int last = 0;
    try (StorageEngine engine = open("db")) {
      for (int i = 0; i < 4000; i++) {
        engine.apply(
            List.of(put("k" + i, "v".repeat(1000)), catalog("n", "" + i)), new LogPosition(1, i));
      }
      crash("db", "crashed");
      last = 3999;
    }
    try (StorageEngine engine = open("crashed")) {
      long applied = engine.appliedPosition().index();
      assertThat(applied).isBetween(0L, (long) last);
      assertThat(text(engine.get(Keyspace.CATALOG, bytes("n")))).isEqualTo("" + applied);
      assertThat(engine.get(Keyspace.RECORDS, bytes("k" + applied))).isNotNull();
      assertThat(engine.get(Keyspace.RECORDS, bytes("k" + (applied + 1)))).isNull();
    }
  }

  @Test
  void aStandaloneDirectoryCanBecomeReplicatedAndTheReverse() throws IOException {
    try (Store store = Store.open(directory.resolve("db"))) {
      store.put(Keyspace.RECORDS, "a", "1").awaitDurable();
      crash("db", "replicated");
    }
    try (StorageEngine engine = open("replicated")) {
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("1");
      engine.apply(List.of(put("b", "1")), new LogPosition(1, 1));
      engine.flush();
      engine.apply(List.of(put("b", "2")), new LogPosition(1, 2));
      crash("replicated", "standalone");
    }
    try (Store store = Store.open(directory.resolve("standalone"))) {
      assertThat(store.get(Keyspace.RECORDS, "a")).isEqualTo("1");
      assertThat(store.get(Keyspace.RECORDS, "b")).isEqualTo("1");
      store.put(Keyspace.RECORDS, "b", "3").awaitDurable();
    }
    try (StorageEngine engine = open("standalone")) {
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("b")))).isEqualTo("3");
    }
  }

  /** What is not replicated goes through the store's own log, also there. */
  @Test
  void ownChangesBesideTheReplicatedOnesSurviveACrash() throws IOException {
    try (StorageEngine engine = open("db");
        LocalCommitLog log = LocalCommitLog.start(engine, BackgroundLoops.silent())) {
      engine.apply(List.of(put("a", "1")), new LogPosition(1, 1));
      var change = new MutationBuilder().put(Keyspace.RECORDS, bytes("own"), bytes("1"));
      log.submit(change.build()).awaitDurable();
      engine.apply(List.of(put("a", "2")), new LogPosition(1, 2));
      log.sync();
      crash("db", "crashed");
    }
    try (StorageEngine engine = open("crashed")) {
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("own")))).isEqualTo("1");
      assertThat(engine.appliedPosition()).isEqualTo(LogPosition.START);
    }
  }

  @Test
  void contentsAreReplacedAsAWhole() {
    try (StorageEngine source = open("source");
        StorageEngine target = open("target")) {
      source.apply(List.of(put("a", "source")), new LogPosition(5, 50));
      target.apply(List.of(put("a", "target"), put("b", "target")), new LogPosition(1, 1));
      Path checkpoint = directory.resolve("checkpoint");
      source.checkpoint(checkpoint);
      Snapshot snapshot = target.snapshot();
      KeyValueCursor cursor = target.cursor(Keyspace.RECORDS, null, null, false);
      assertThat(cursor.next()).isTrue();

      target.replaceContents(checkpoint);

      assertThat(text(target.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("source");
      assertThat(target.get(Keyspace.RECORDS, bytes("b"))).isNull();
      assertThat(target.appliedPosition()).isEqualTo(new LogPosition(5, 50));
      assertReplaced(() -> snapshot.get(Keyspace.RECORDS, bytes("a")));
      assertReplaced(cursor::next);
      cursor.close();
      snapshot.close();
      target.apply(List.of(put("c", "1")), new LogPosition(5, 51));
      assertThat(checkpoint).doesNotExist();
    }
    try (StorageEngine target = open("target")) {
      assertThat(text(target.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("source");
      assertThat(text(target.get(Keyspace.RECORDS, bytes("c")))).isEqualTo("1");
    }
  }

  @Test
  void contentsThatCannotBeOpenedLeaveTheOldOnes() throws IOException {
    try (StorageEngine source = open("source");
        StorageEngine target = open("target")) {
      target.apply(List.of(put("a", "target")), new LogPosition(1, 1));
      target.flush();
      Path checkpoint = directory.resolve("checkpoint");
      source.checkpoint(checkpoint);
      Files.writeString(checkpoint.resolve("data/CURRENT"), "MANIFEST-999999\n");
      assertThatThrownBy(() -> target.replaceContents(checkpoint))
          .isInstanceOf(StorageException.class);
      assertThat(text(target.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("target");
    }
  }

  /** Where a crash can cut the switch off, and what has to be there at the next start. */
  @Test
  void aSwitchThatWasCutOffIsFinishedOrForgotten() throws IOException {
    for (Stage stage : Stage.values()) {
      Path root = directory.resolve(stage.name());
      try (StorageEngine old = StorageEngine.open(options(root))) {
        old.apply(List.of(put("a", "old")), new LogPosition(1, 1));
      }
      try (StorageEngine source = open("source-" + stage)) {
        source.apply(List.of(put("a", "new")), new LogPosition(2, 2));
        source.checkpoint(root.resolve("checkpoint"));
      }
      Files.createFile(root.resolve("data.switch"));
      Files.move(root.resolve("checkpoint/data"), root.resolve("data.new"));
      if (stage.compareTo(Stage.OLD_AWAY) >= 0) {
        Files.move(root.resolve("data"), root.resolve("data.old"));
      }
      if (stage.compareTo(Stage.NEW_IN_PLACE) >= 0) {
        Files.move(root.resolve("data.new"), root.resolve("data"));
      }
      try (StorageEngine engine = StorageEngine.open(options(root))) {
        assertThat(text(engine.get(Keyspace.RECORDS, bytes("a"))))
            .as(stage.name())
            .isEqualTo(stage == Stage.NEW_COMPLETE ? "old" : "new");
      }
      assertThat(root.resolve("data.new")).doesNotExist();
      assertThat(root.resolve("data.old")).doesNotExist();
    }
  }

  private enum Stage {
    NEW_COMPLETE,
    OLD_AWAY,
    NEW_IN_PLACE
  }

  @Test
  void aDroppedRangeComesBackOnlyTogetherWithWhatDroppedIt() throws IOException {
    try (StorageEngine engine = open("db")) {
      engine.apply(List.of(put("a", "1"), catalog("n", "1")), new LogPosition(1, 1));
      engine.flush();
      engine.apply(List.of(catalog("n", "dropped")), new LogPosition(1, 2));
      engine.dropRange(Keyspace.RECORDS, bytes("a"), bytes("b"));
      assertThat(engine.get(Keyspace.RECORDS, bytes("a"))).isNull();
      crash("db", "before");
      engine.flush();
      crash("db", "after");
    }
    try (StorageEngine engine = open("before")) {
      assertThat(text(engine.get(Keyspace.CATALOG, bytes("n")))).isEqualTo("1");
      assertThat(text(engine.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("1");
    }
    try (StorageEngine engine = open("after")) {
      assertThat(text(engine.get(Keyspace.CATALOG, bytes("n")))).isEqualTo("dropped");
      assertThat(engine.get(Keyspace.RECORDS, bytes("a"))).isNull();
    }
  }

  private static void assertReplaced(Runnable use) {
    assertThatThrownBy(use::run)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REPLACED));
  }

  private StorageEngine open(String name) {
    return StorageEngine.open(options(directory.resolve(name)));
  }

  private static StorageOptions options(Path path) {
    return Store.options(path).withReplicatedLog();
  }

  private static byte[] put(String key, String value) {
    return new MutationBuilder().put(Keyspace.RECORDS, bytes(key), bytes(value)).build().batch();
  }

  private static byte[] catalog(String key, String value) {
    return new MutationBuilder().put(Keyspace.CATALOG, bytes(key), bytes(value)).build().batch();
  }

  /**
   * What a crash of the process at this moment would leave: a copy during which the store has not
   * changed its files in the background.
   */
  private void crash(String from, String to) throws IOException {
    Path source = directory.resolve(from);
    Path target = directory.resolve(to);
    Map<Path, Long> before;
    do {
      remove(target);
      before = files(source);
    } while (!copy(source, target, before.keySet()) || !files(source).equals(before));
  }

  private static Map<Path, Long> files(Path root) throws IOException {
    var sizes = new TreeMap<Path, Long>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        sizes.put(file, Files.size(file));
      }
    } catch (UncheckedIOException | NoSuchFileException e) {
      return Map.of();
    }
    return sizes;
  }

  /** False if a file has gone meanwhile. */
  private static boolean copy(Path source, Path target, Set<Path> files) throws IOException {
    for (Path file : files) {
      Path copy = target.resolve(source.relativize(file).toString());
      Files.createDirectories(copy.getParent());
      try {
        Files.copy(file, copy);
      } catch (NoSuchFileException e) {
        return false;
      }
    }
    return !files.isEmpty();
  }

  private static void remove(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path file : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(file);
        }
      }
    }
  }
}
