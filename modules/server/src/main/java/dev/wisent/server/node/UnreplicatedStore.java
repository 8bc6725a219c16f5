package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.UnreplicatedCollections;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.member.MemberData;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The store of what is not replicated: the database {@code local}, and profiles. It lies beside the
 * one that the members have in common, so that a copy of another member's data leaves it alone, and
 * it has a log of its own, as a standalone's.
 */
final class UnreplicatedStore implements AutoCloseable {
  private static final String DIRECTORY = "local";
  private static final String OLD_DIRECTORY = "local.old";
  private static final long CACHE_BYTES = 8L << 20;
  private static final long WRITE_BUFFER_BYTES = 1L << 20;

  private final StorageEngine storage;
  private final CommitLog log;
  private final LocalDatabase database;
  private final StoreRecovery recovery;

  private UnreplicatedStore(
      StorageEngine storage, CommitLog log, LocalDatabase database, StoreRecovery recovery) {
    this.storage = storage;
    this.log = log;
    this.database = database;
    this.recovery = recovery;
  }

  /**
   * Opens it, or makes it.
   *
   * @param node how the store is opened that the members have in common
   */
  static UnreplicatedStore open(
      StorageOptions node,
      Clock clock,
      RandomSource random,
      LocalDatabase shared,
      BackgroundLoops loops,
      Log log) {
    StorageEngine storage = StorageEngine.open(options(node));
    try {
      LocalCommitLog commits = LocalCommitLog.start(storage, loops);
      LocalDatabase database =
          LocalDatabase.openUnreplicated(storage, commits, clock, random, shared);
      var recovery = StoreRecovery.start(storage, commits, database, loops, log);
      return new UnreplicatedStore(storage, commits, database, recovery);
    } catch (RuntimeException | Error e) {
      storage.close();
      throw e;
    }
  }

  /** How it is opened beside the store that the members have in common. */
  static StorageOptions options(StorageOptions node) {
    return StorageOptions.defaults(directory(node))
        .withCacheBytes(CACHE_BYTES)
        .withWriteBufferBytes(WRITE_BUFFER_BYTES)
        .withJournalIntervalMillis(node.journalIntervalMillis());
  }

  private static Path directory(StorageOptions node) {
    return node.dbPath().resolve(DIRECTORY);
  }

  /**
   * Takes over what a standalone has that is not in a set yet, and is not open. A copy of a
   * member's data is left as it is: the log of its set may go on with it.
   */
  static void takeFromStandalone(
      StorageOptions node, Clock clock, RandomSource random, BackgroundLoops loops, Log log) {
    if (!StorageEngine.isIn(node.dbPath())) {
      return;
    }
    try (StorageEngine storage = StorageEngine.open(node)) {
      if (MemberData.isIn(storage)) {
        return;
      }
      try (CommitLog commits = LocalCommitLog.start(storage, loops)) {
        LocalDatabase database = LocalDatabase.open(storage, commits, clock, random);
        if (UnreplicatedCollections.areIn(database)) {
          try (UnreplicatedStore unreplicated = open(node, clock, random, database, loops, log)) {
            UnreplicatedCollections.move(
                database, unreplicated.database, OperationContext.internal(clock));
          }
        }
      }
    }
  }

  /** The reverse, for a node that is not in a set any more and never was. */
  static void giveToStandalone(
      LocalDatabase database, Clock clock, RandomSource random, BackgroundLoops loops, Log log) {
    StorageOptions node = database.storage().options();
    Path directory = directory(node);
    Path old = node.dbPath().resolve(OLD_DIRECTORY);
    try {
      if (StorageEngine.isIn(directory)) {
        try (UnreplicatedStore unreplicated = open(node, clock, random, database, loops, log)) {
          UnreplicatedCollections.move(
              unreplicated.database, database, OperationContext.internal(clock));
        }
        // What is left of it after a crash must not look like a store.
        delete(old);
        Files.move(directory, old);
      }
      delete(old);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove " + directory, e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> innermostFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : innermostFirst) {
        Files.delete(file);
      }
    }
  }

  LocalDatabase database() {
    return database;
  }

  @Override
  public void close() {
    recovery.close();
    try (storage) {
      log.close();
    }
  }
}
