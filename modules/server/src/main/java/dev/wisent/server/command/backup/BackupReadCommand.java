package dev.wisent.server.command.backup;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.backup.Backups;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code backupRead}: the bytes of a file of a backup from an offset on. */
final class BackupReadCommand implements Command {
  private static final byte GENERIC_BINARY = 0;

  private final Backups backups;

  BackupReadCommand(Backups backups) {
    this.backups = backups;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long backup = ArgumentTypes.wholeNumber(request.pathOfArgument(), request.argument());
    String file = null;
    long offset = 0;
    long length = Backups.PART_BYTES_MAX;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "file" -> file = reader.string();
        case "offset" -> offset = reader.nonNegative();
        case "length" -> length = reader.nonNegative();
        default -> reader.unknown();
      }
    }
    if (file == null) {
      throw ArgumentTypes.missing("backupRead.file");
    }
    if (length > Backups.PART_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "backupRead.length is at most " + Backups.PART_BYTES_MAX);
    }
    reply.appendBinary("data", GENERIC_BINARY, backups.read(backup, file, offset, (int) length));
  }
}
