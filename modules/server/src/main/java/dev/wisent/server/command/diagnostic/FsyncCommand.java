package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code fsync}: everything to disk, and writes kept out while {@code lock} is set. */
public final class FsyncCommand implements Command {
  private static final long LOCK_TIMEOUT_MILLIS = 90_000;

  private final NodeStore store;

  public FsyncCommand(NodeStore store) {
    this.store = store;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean lock = false;
    long timeoutMillis = LOCK_TIMEOUT_MILLIS;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "lock" -> lock = reader.bool();
        case "async" -> reader.bool();
        case "fsyncLockAcquisitionTimeoutMillis" -> timeoutMillis = reader.nonNegative();
        default -> reader.unknown();
      }
    }
    if (lock) {
      int count = store.lockWrites(context.operation(), timeoutMillis);
      reply.appendString("info", "now locked against writes, use db.fsyncUnlock() to unlock");
      reply.appendInt64("lockCount", count);
    } else {
      store.flush();
      reply.appendInt32("numFiles", 1);
    }
  }
}
