package dev.wisent.replication.raft;

import dev.wisent.replication.OpTime;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a log is applied to. Called by one thread at a time. */
public interface LogApplier {
  /**
   * A mutation of an entry.
   *
   * @param local whether a write of this node waits for it and maintains the caches itself. It must
   *     then be told that it is applied: who was told that the outcome is unknown, or may still be
   *     told so, does not see to anything
   */
  record Applied(Mutation mutation, boolean local) {}

  /** The position of the last entry that was applied. */
  LogPosition applied();

  /**
   * The index up to which readers may have seen the log applied, also before a crash that took back
   * what was not flushed.
   */
  long seenIndex();

  /** The time of the last entry of the oplog; {@link OpTime#NONE} if there is none. */
  OpTime newest();

  /**
   * Returns when an entry of these mutations may be applied. It may take long, and nothing else
   * waits meanwhile.
   *
   * @param stopped asked again and again
   * @throws StorageException CLOSED if the entry is not to be applied any more, as that asks for
   */
  default void awaitDue(List<Mutation> mutations, BooleanSupplier stopped) {}

  /**
   * An entry is applied next whose last oplog entry has a cluster time. The times of an entry are
   * all of one second.
   */
  default void reaching(long timestamp) {}

  /** Applies the mutations of an entry and notes its position, all or nothing. */
  void apply(List<Applied> mutations, LogPosition position);

  /**
   * Notes, and makes durable, that the store is at a position of another log than before, and that
   * readers have seen no more of that log.
   */
  void enter(LogPosition position);

  /** Makes everything durable that is applied; returns up to where. */
  LogPosition flush();

  /** Makes a copy of everything in a new directory; returns the position it has. */
  LogPosition checkpoint(Path target);

  /** Makes what stands for everything on a node that keeps no data; returns the position it has. */
  LogPosition outline(Path target);

  /** Whether this node keeps data: if not, an outline of another one is all that it installs. */
  boolean keepsData();

  /** Whether there is space to apply more. */
  boolean hasRoom();

  /**
   * Makes a store usable again that a full disk has stopped; does nothing to one that works. It may
   * be at an earlier position then. Called while no log is applied, when there is room.
   */
  void recover();

  /**
   * Goes over to the contents of a directory that {@link #checkpoint}, or {@link #outline} if this
   * node keeps no data, has made on another node.
   */
  void install(Path directory);
}
