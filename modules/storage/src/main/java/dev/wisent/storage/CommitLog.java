package dev.wisent.storage;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * Where changes become permanent. A standalone node writes them to its own log ({@link
 * LocalCommitLog}); a replica-set member proposes them to the set. Callers cannot tell which.
 */
public interface CommitLog extends AutoCloseable {
  /**
   * Submits a mutation. It is atomic: after a crash all of it is there, or nothing.
   *
   * @throws StorageException if the mutation was not accepted, or the log has failed earlier
   * @throws LeadershipException if another node leads the log
   */
  CommitFuture submit(Mutation mutation);

  /** How large a mutation may be, with its oplog entries completed; larger ones are refused. */
  default long mutationBytesMax() {
    return Integer.MAX_VALUE;
  }

  /**
   * Whether mutations are to carry oplog entries. Entries come without their times: the log adds
   * those when it gives the mutation its place.
   */
  default boolean keepsOplog() {
    return false;
  }

  /**
   * Whether other nodes apply the same mutations. Then every change comes through this log, and
   * mutations of other nodes change the store, too.
   */
  default boolean isReplicated() {
    return keepsOplog();
  }

  /**
   * Starts a term as leader. Every mutation that is submitted from now on is evaluated in this
   * term, with all earlier entries applied. The log refuses mutations in a term that was not
   * started here: they may be evaluated in an earlier one.
   */
  default void beginTerm(long term) {}

  /** What a writer is told where this node takes no writes. */
  default CommandException refusal() {
    return new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
  }

  /** Returns when everything submitted before is on disk. */
  void sync();

  /** Syncs and stops; further submissions fail. */
  @Override
  void close();
}
