package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.oplog.OplogControl;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/**
 * {@code replSetResizeOplog}. MongoDB's members each have an oplog of their own size; here it is
 * the same on all, so that the primary has to be told.
 */
final class ReplSetResizeOplogCommand implements Command {
  private static final double MEGABYTES_MIN = 990;
  private static final double MEGABYTES_MAX = 1L << 30;

  private final OplogControl oplog;

  ReplSetResizeOplogCommand(OplogControl oplog) {
    this.oplog = oplog;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    OplogLimits before = oplog.limits();
    long bytes = before.bytesMax();
    double hours = before.minRetentionHours();
    boolean asked = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "size" -> {
          double megabytes = number(reader);
          check(megabytes >= MEGABYTES_MIN, reader, ">= " + (long) MEGABYTES_MIN, megabytes);
          check(megabytes <= MEGABYTES_MAX, reader, "<= " + (long) MEGABYTES_MAX, megabytes);
          bytes = (long) (megabytes * (1 << 20));
          asked = true;
        }
        case "minRetentionHours" -> {
          hours = number(reader);
          check(hours >= 0, reader, ">= 0", hours);
          asked = true;
        }
        default -> reader.unknown();
      }
    }
    if (!asked) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "replSetResizeOplog needs 'size' or 'minRetentionHours'");
    }
    oplog.limit(context.operation(), new OplogLimits(bytes, hours));
  }

  private static double number(ArgumentReader reader) {
    RawValue value = reader.value();
    if (!value.isNumber()) {
      throw ArgumentTypes.wrongType(
          reader.path(), value.type(), "double", "int", "long", "decimal");
    }
    return value.toDouble();
  }

  private static void check(boolean holds, ArgumentReader reader, String condition, double actual) {
    if (!holds) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "BSON field '"
              + reader.name()
              + "' value must be "
              + condition
              + ", actual value '"
              + actual
              + "'");
    }
  }
}
