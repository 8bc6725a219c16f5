package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code configureFailPoint}, for those of {@link FailPoints}. */
public final class ConfigureFailPointCommand implements Command {
  private final FailPoints failPoints;
  private final BackgroundLoops loops;

  public ConfigureFailPointCommand(FailPoints failPoints, BackgroundLoops loops) {
    this.failPoints = failPoints;
    this.loops = loops;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string("configureFailPoint.configureFailPoint", request.argument());
    RawValue mode = null;
    RawDocument data = RawDocument.EMPTY;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "mode" -> mode = reader.value();
        case "data" -> data = reader.document();
        default -> reader.unknown();
      }
    }
    if (mode == null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "When setting a failpoint, you must supply a 'mode'");
    }
    RawDocument kept = data.detached();
    switch (name) {
      case "failCommand" ->
          failPoints.failCommand(
              settings(mode, (skips, times) -> FailCommand.parse(skips, times, kept)));
      case "onPrimaryTransactionalWrite" ->
          failPoints.transactionalWrite(
              settings(mode, (skips, times) -> FailTransactionalWrite.parse(skips, times, kept)));
      case "hangAfterStartingIndexBuild" ->
          failPoints.indexBuildsHang(settings(mode, (skips, times) -> on(skips, times)) != null);
      case "coordinatorPhase" ->
          failPoints.coordinatorPhase(
              settings(mode, (skips, times) -> FailPhase.parse(skips, times, kept)));
      case "coordinatorPages" ->
          failPoints.pageDocuments(
              settings(mode, (skips, times) -> pageDocuments(skips, times, kept)));
      case "failBackgroundLoop" -> settings(mode, (skips, times) -> failLoop(skips, times, kept));
      default ->
          throw new CommandException(
              ErrorCode.FAIL_POINT_SET_FAILED, "Couldn't find fail point " + name);
    }
    reply.appendInt64("count", failPoints.timesEntered());
  }

  private static int pageDocuments(long skips, long times, RawDocument data) {
    RawValue documents = data.get("documents");
    if (on(skips, times) && (documents == null || !documents.isNumber())) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "this fail point takes data: {documents: <number>}");
    }
    return (int) Math.clamp(documents.toLong(), 1, Integer.MAX_VALUE);
  }

  /** Has the next turn of a loop throw. */
  private Boolean failLoop(long skips, long times, RawDocument data) {
    RawValue name = data.get("loop");
    if (skips != 0 || times != 1 || name == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "this fail point takes the mode {times: 1} and data: {loop: <name>}");
    }
    String loop = ArgumentTypes.string("data.loop", name);
    if (!loops.failNextTurn(loop, new IllegalStateException("failBackgroundLoop fail point"))) {
      throw new CommandException(
          ErrorCode.FAIL_POINT_SET_FAILED, "There is no background loop " + loop);
    }
    return true;
  }

  /** Makes settings of how many commands to spare, and how often to act then. */
  private interface Settings<T> {
    T of(long skips, long times);
  }

  /** Null to switch the fail point off. */
  private static <T> T settings(RawValue mode, Settings<T> settings) {
    if (mode.isString()) {
      return switch (mode.asString()) {
        case "off" -> null;
        case "alwaysOn" -> settings.of(0, Long.MAX_VALUE);
        default ->
            throw new CommandException(ErrorCode.BAD_VALUE, "unknown mode: " + mode.asString());
      };
    }
    if (!mode.isDocument()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "'mode' must be a string or JSON object");
    }
    RawValue times = mode.asDocument().get("times");
    if (times != null) {
      return settings.of(0, count("times", times));
    }
    RawValue skip = mode.asDocument().get("skip");
    if (skip != null) {
      return settings.of(count("skip", skip), Long.MAX_VALUE);
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "'mode' must be one of 'off', 'alwaysOn', 'times' and 'skip'");
  }

  /** For fail points that are either on or off. */
  private static Boolean on(long skips, long times) {
    if (skips != 0 || times != Long.MAX_VALUE) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "the 'mode' of this fail point must be 'alwaysOn' or 'off'");
    }
    return true;
  }

  private static long count(String name, RawValue value) {
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "'" + name + "' option to 'mode' must be a number");
    }
    if (value.toLong() < 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "'" + name + "' option to 'mode' must be positive");
    }
    return value.toLong();
  }
}
