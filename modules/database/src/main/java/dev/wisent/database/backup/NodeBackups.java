package dev.wisent.database.backup;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.snapshot.TimeCrossings.Crossing;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.backup.BackupFile;
import dev.wisent.operation.backup.Backups;
import dev.wisent.operation.backup.OpenBackup;
import dev.wisent.storage.CheckpointContents;
import dev.wisent.storage.DiskSpace;
import dev.wisent.storage.ServedCheckpoints;
import dev.wisent.storage.ServedCheckpoints.Bounds;
import dev.wisent.storage.ServedCheckpoints.Served;
import dev.wisent.storage.ServedCheckpoints.ServedFile;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import dev.wisent.storage.TableFileIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The backups of this node. Each is a checkpoint of the store that a replica set has in common, and
 * below it in {@code local/} one of the store that is not replicated, where there is one: together
 * they make a data directory without a part in a log.
 */
public final class NodeBackups implements Backups {
  /** All together; of every client. */
  public static final int OPEN_MAX = 4;

  /** What a list of files may have, so that it fits into a reply. */
  private static final int FILES_MAX = 100_000;

  private static final Duration IDLE_MAX = Duration.ofMinutes(10);
  private static final Duration AGE_MAX = Duration.ofDays(7);
  private static final String DIRECTORY = "_backup";

  /** How many of those that were given up are remembered, for what their readers are told. */
  private static final int GIVEN_UP_MAX = 64;

  private static final String UNREPLICATED = "local";

  private final NodeDatabase database;
  private final StorageEngine shared;
  private final BooleanSupplier diskIsFull;
  private final ServedCheckpoints checkpoints;
  private final Deque<Long> givenUp = new ArrayDeque<>(); // guarded by itself

  private NodeBackups(NodeDatabase database, Clock clock, BooleanSupplier diskIsFull) {
    this.database = database;
    this.diskIsFull = diskIsFull;
    this.shared = database.shared().storage();
    Path directory = shared.options().dbPath().resolve(DIRECTORY);
    this.checkpoints =
        new ServedCheckpoints(directory, new Bounds(OPEN_MAX, IDLE_MAX, AGE_MAX), clock);
  }

  /**
   * Those of a node whose data directory has just been opened; removes what a crash has left, where
   * anything may be written.
   *
   * @param diskIsFull whether the node waits for space on its disk
   */
  public static NodeBackups open(NodeDatabase database, Clock clock, BooleanSupplier diskIsFull) {
    var backups = new NodeBackups(database, clock, diskIsFull);
    if (backups.shared.isReadOnly()) {
      return backups;
    }
    try {
      backups.checkpoints.deleteAll();
    } catch (IOException e) {
      throw backups.fault("remove the backups of an earlier process", e);
    }
    return backups;
  }

  @Override
  public OpenBackup begin(OperationContext operation, long timestamp) {
    if (shared.isReadOnly()) {
      throw refused("the data directory is only read here: it can be copied as it is");
    }
    if (database.shared().writeGate().lockCount() > 0) {
      throw refused("writes are locked by fsync: the data directory can be copied as it is");
    }
    if (diskIsFull.getAsBoolean()) {
      throw new CommandException(
          ErrorCode.OUT_OF_DISK_SPACE, "the disk is full: a backup would take space on it");
    }
    var contents = new AtomicReference<CheckpointContents>();
    try {
      Served made =
          checkpoints.make(
              ServedCheckpoints.NO_OWNER,
              root -> contents.set(checkpoint(root, timestamp, operation)));
      try {
        operation.checkNow();
        return describe(made, contents.get());
      } catch (IOException | RuntimeException | Error e) {
        checkpoints.discard(made.id());
        throw e;
      }
    } catch (ServedCheckpoints.TooManyException e) {
      throw refused("there are " + OPEN_MAX + " backups open; try again when one has ended");
    } catch (IOException e) {
      throw fault("make a backup", e);
    }
  }

  private CheckpointContents checkpoint(Path root, long timestamp, OperationContext operation) {
    if (timestamp == NOW) {
      shared.checkpoint(root);
    } else {
      checkpointAt(timestamp, root, operation);
    }
    LocalDatabase unreplicated = database.unreplicated();
    if (unreplicated != database.shared()) {
      Path below = root.resolve(UNREPLICATED);
      unreplicated.storage().checkpoint(below);
      CheckpointContents.settle(below);
    }
    CheckpointContents contents = CheckpointContents.settle(root);
    if (timestamp != NOW && Long.compareUnsigned(contents.timestamp(), timestamp) > 0) {
      throw passed();
    }
    return contents;
  }

  /** Has the thread that applies the log make the checkpoint between two entries. */
  private void checkpointAt(long timestamp, Path root, OperationContext operation) {
    Oplog oplog = database.shared().catalog().oplog();
    if (oplog == null) {
      throw refused("a node without an oplog knows no cluster times");
    }
    // What is in memory then is written out while the log waits.
    shared.flush();
    try (Crossing crossing =
        database
            .shared()
            .snapshots()
            .crossings()
            .register(timestamp, () -> shared.checkpoint(root))) {
      operation.await(
          nanos -> {
            boolean done = crossing.await(nanos);
            if (!done && isMissed(crossing, oplog)) {
              throw passed();
            }
            return done;
          });
    }
  }

  /** Contents that are being replaced have no newest entry; those that come have one. */
  private static boolean isMissed(Crossing crossing, Oplog oplog) {
    try {
      return crossing.isMissed(oplog.newest());
    } catch (StorageException e) {
      if (e.kind() != Kind.REPLACED) {
        throw e;
      }
      return false;
    }
  }

  private static CommandException passed() {
    return new CommandException(
        ErrorCode.SNAPSHOT_TOO_OLD, "the cluster time of the backup has passed already");
  }

  private static OpenBackup describe(Served made, CheckpointContents contents) throws IOException {
    if (made.files().size() > FILES_MAX) {
      throw refused("the store has more than " + FILES_MAX + " files");
    }
    List<BackupFile> files = new ArrayList<>(made.files().size());
    for (ServedFile file : made.files()) {
      String identity = TableFileIdentity.of(made.root().resolve(file.name())).orElse(null);
      files.add(new BackupFile(file.name(), file.sizeBytes(), identity));
    }
    return new OpenBackup(
        made.id(),
        CheckpointContents.FORMAT,
        contents.position().term(),
        contents.position().index(),
        contents.timestamp(),
        files);
  }

  @Override
  public byte[] read(long backup, String file, long offset, int length) {
    List<ServedFile> files = checkpoints.files(backup);
    if (files == null) {
      throw gone(backup);
    }
    int number = 0;
    while (number < files.size() && !files.get(number).name().equals(file)) {
      number++;
    }
    if (number == files.size()) {
      throw refused("the backup " + backup + " has no file '" + file + "'");
    }
    long rest = files.get(number).sizeBytes() - offset;
    if (rest < 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "the file '" + file + "' has no byte " + offset);
    }
    int bytes = (int) Math.min(rest, length);
    shared.admit(bytes);
    try {
      byte[] part = new byte[bytes];
      checkpoints.read(backup, number, offset, bytes).get(part);
      return part;
    } catch (IOException e) {
      throw checkpoints.files(backup) == null
          ? gone(backup)
          : fault("read '" + file + "' of a backup", e);
    }
  }

  private CommandException gone(long backup) {
    synchronized (givenUp) {
      if (givenUp.contains(backup)) {
        return new CommandException(
            ErrorCode.OUT_OF_DISK_SPACE,
            "the backup "
                + backup
                + " was given up: the disk of the server is full, and a backup keeps files there"
                + " that the store needs no more");
      }
    }
    return refused(
        "there is no backup "
            + backup
            + " here: it has ended, was not read for %d minutes, or the server was started again"
                .formatted(IDLE_MAX.toMinutes()));
  }

  @Override
  public boolean end(long backup) {
    try {
      return checkpoints.discard(backup);
    } catch (IOException e) {
      throw fault("remove a backup", e);
    }
  }

  /**
   * Gives up all backups if the disk is full: the files that the store has replaced since take
   * space for them alone. To be called from time to time. Returns how many there were.
   */
  public int giveUpIfFull() {
    int count = 0;
    if (!diskIsFull.getAsBoolean()) {
      return count;
    }
    for (long backup : checkpoints.made()) {
      remember(backup);
      if (end(backup)) {
        count++;
      }
    }
    return count;
  }

  private void remember(long backup) {
    synchronized (givenUp) {
      if (givenUp.size() == GIVEN_UP_MAX) {
        givenUp.removeFirst();
      }
      givenUp.addLast(backup);
    }
  }

  /** Removes those that are not read any more; to be called from time to time. */
  public void discardIdle() {
    try {
      checkpoints.discardIdle();
    } catch (IOException e) {
      throw fault("remove a backup", e);
    }
  }

  /** Removes all: the node ends. What cannot be removed is, at the next start. */
  public void discardAll() {
    try {
      checkpoints.discardAll();
    } catch (IOException e) {
      // The node closes its stores all the same.
    }
  }

  private static CommandException refused(String why) {
    return new CommandException(ErrorCode.CANNOT_BACKUP, why);
  }

  private StorageException fault(String action, IOException e) {
    return new StorageException(
        DiskSpace.isFull(e) ? Kind.FULL : Kind.IO,
        "Cannot " + action + " in " + shared.options().dbPath() + ": " + e.getMessage(),
        e);
  }
}
