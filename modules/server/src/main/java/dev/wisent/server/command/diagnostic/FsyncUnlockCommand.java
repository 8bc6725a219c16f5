package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code fsyncUnlock}: takes back one lock of {@code fsync}. */
public final class FsyncUnlockCommand implements Command {
  private final NodeStore store;

  public FsyncUnlockCommand(NodeStore store) {
    this.store = store;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    int left = store.unlockWrites();
    if (left < 0) {
      throw new CommandException(ErrorCode.ILLEGAL_OPERATION, "fsyncUnlock called when not locked");
    }
    reply.appendString("info", "fsyncUnlock completed");
    reply.appendInt64("lockCount", left);
  }
}
