package dev.wisent.server.command.backup;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.backup.BackupFile;
import dev.wisent.operation.backup.Backups;
import dev.wisent.operation.backup.OpenBackup;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code backupBegin}: fixes the state of this node and lists the files that it is in. With {@code
 * readConcern: {afterClusterTime: ...}} it is at least as new as that, with {@code atClusterTime}
 * it is the state of a time that is still to come.
 */
final class BackupBeginCommand implements Command {
  private final Backups backups;
  private final BackupOrigin origin;

  BackupBeginCommand(Backups backups, BackupOrigin origin) {
    this.backups = backups;
    this.origin = origin;
  }

  private static long time(ArgumentReader reader) {
    long timestamp = reader.timestamp();
    if ((int) timestamp != 0 || timestamp == Backups.NOW) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, reader.path() + " is the end of a second: its increment is 0");
    }
    return timestamp;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader reader = ArgumentReader.of(request);
    long timestamp = Backups.NOW;
    while (reader.next()) {
      switch (reader.name()) {
        case "atClusterTime" -> timestamp = time(reader);
        default -> reader.unknown();
      }
    }
    OpenBackup backup = backups.begin(context.operation(), timestamp);
    reply.appendInt64("backup", backup.id());
    origin.describe(reply);
    reply.appendInt32("storageFormat", backup.format());
    if (backup.index() >= 0) {
      reply.startDocument("position");
      reply.appendInt64("term", backup.term()).appendInt64("index", backup.index()).end();
    }
    if (backup.timestamp() != 0) {
      reply.appendTimestamp("clusterTime", backup.timestamp());
    }
    reply.startArray("files");
    int number = 0;
    for (BackupFile file : backup.files()) {
      reply.startDocument(number++).appendString("name", file.name());
      reply.appendInt64("size", file.sizeBytes());
      if (file.identity() != null) {
        reply.appendString("identity", file.identity());
      }
      reply.end();
    }
    reply.end();
  }
}
