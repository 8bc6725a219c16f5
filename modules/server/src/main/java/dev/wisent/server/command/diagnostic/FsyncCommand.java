package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.NodeDatabase;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code fsync}: everything to disk, and writes kept out while {@code lock} is set. */
public final class FsyncCommand implements Command {
  private static final long LOCK_TIMEOUT_MILLIS = 90_000;

  private final NodeDatabase database;

  public FsyncCommand(NodeDatabase database) {
    this.database = database;
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
      int count = database.lockWrites(context.operation(), timeoutMillis);
      reply.appendString("info", "now locked against writes, use db.fsyncUnlock() to unlock");
      reply.appendInt64("lockCount", count);
    } else {
      database.flush();
      reply.appendInt32("numFiles", 1);
    }
  }
}
