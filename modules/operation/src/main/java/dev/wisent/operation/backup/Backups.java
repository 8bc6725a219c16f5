package dev.wisent.operation.backup;

import dev.wisent.operation.OperationContext;

/** The backups of a node that are open. */
public interface Backups {
  /** How much of a file one read gives. */
  int PART_BYTES_MAX = 8 << 20;

  /** Stands for the newest state. */
  long NOW = 0;

  /**
   * Fixes the state of the node. The newest one has every write that was acknowledged here before
   * the call.
   *
   * @param timestamp the cluster time whose state is wanted, which has not come yet; the last
   *     moment of a second, as its increment is 0; or {@link #NOW}
   * @throws dev.wisent.base.CommandException CannotBackup if too many are open, or the time has
   *     passed
   */
  OpenBackup begin(OperationContext operation, long timestamp);

  /**
   * Reads a part of a file.
   *
   * @param length more than the file has is no mistake
   */
  byte[] read(long backup, String file, long offset, int length);

  /** Gives up the state; false if it is not there. */
  boolean end(long backup);
}
