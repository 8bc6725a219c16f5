package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.write.WriteGate;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.StorageEngine;

/** {@code fsync}: everything to disk, and writes kept out while {@code lock} is set. */
public final class FsyncCommand implements Command {
  private static final long LOCK_TIMEOUT_MILLIS = 90_000;

  private final StorageEngine storage;
  private final CommitLog log;
  private final WriteGate gate;

  public FsyncCommand(StorageEngine storage, CommitLog log, WriteGate gate) {
    this.storage = storage;
    this.log = log;
    this.gate = gate;
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
    int count = lock ? gate.lock(context.operation(), timeoutMillis) : 0;
    log.sync();
    storage.flush();
    if (lock) {
      reply.appendString("info", "now locked against writes, use db.fsyncUnlock() to unlock");
      reply.appendInt64("lockCount", count);
    } else {
      reply.appendInt32("numFiles", 1);
    }
  }
}
