package dev.wisent.server.command.backup;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.backup.Backups;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code backupEnd}: the files of a backup are not needed any more. */
final class BackupEndCommand implements Command {
  private final Backups backups;

  BackupEndCommand(Backups backups) {
    this.backups = backups;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long backup = ArgumentTypes.wholeNumber(request.pathOfArgument(), request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      reader.unknown();
    }
    reply.appendBoolean("ended", backups.end(backup));
  }
}
