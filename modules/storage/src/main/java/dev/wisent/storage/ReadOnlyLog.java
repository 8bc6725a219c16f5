package dev.wisent.storage;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * The log of a store that is only read: it takes nothing.
 *
 * <p>Writers get {@code IllegalOperation}, as from a server of MongoDB that is read-only. Drivers
 * take {@code NotWritablePrimary} for a change of the primary, and would look for another one.
 *
 * @param keepsOplog whether the store has an oplog
 */
public record ReadOnlyLog(boolean keepsOplog) implements CommitLog {
  /** What writers are told. */
  public static CommandException refused() {
    return new CommandException(
        ErrorCode.ILLEGAL_OPERATION,
        "this server is read-only, for its data directory belongs to a member of a replica set:"
            + " start it with --replSet to write");
  }

  @Override
  public CommitFuture submit(Mutation mutation) {
    throw refusal();
  }

  /** The changes in the store came from elsewhere. */
  @Override
  public boolean isReplicated() {
    return true;
  }

  @Override
  public CommandException refusal() {
    return refused();
  }

  @Override
  public void sync() {}

  @Override
  public void close() {}
}
