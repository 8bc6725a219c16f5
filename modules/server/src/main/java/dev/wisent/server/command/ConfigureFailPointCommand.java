package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code configureFailPoint}, for {@code failCommand} only. */
public final class ConfigureFailPointCommand implements Command {
  private final FailPoints failPoints;

  public ConfigureFailPointCommand(FailPoints failPoints) {
    this.failPoints = failPoints;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    String name = ArgumentTypes.string("configureFailPoint", request.argument());
    if (!name.equals("failCommand")) {
      throw new CommandException(ErrorCode.FAIL_POINT_SET_FAILED, "Couldn't find fail point " + name);
    }
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
      throw ArgumentTypes.missing("configureFailPoint.mode");
    }
    boolean off = mode.isString() && mode.asString().equals("off");
    failPoints.failCommand(off ? null : settings(parseMode(mode), data.detached()));
    reply.appendInt32("count", 0);
  }

  private static FailPoints.Mode parseMode(RawValue mode) {
    if (mode.isString() && mode.asString().equals("alwaysOn")) {
      return FailPoints.Mode.ALWAYS;
    }
    if (mode.isDocument()) {
      RawValue times = mode.asDocument().get("times");
      if (times != null && times.isNumber()) {
        return new FailPoints.Mode(0, times.toLong());
      }
      RawValue skip = mode.asDocument().get("skip");
      if (skip != null && skip.isNumber()) {
        return new FailPoints.Mode(skip.toLong(), Long.MAX_VALUE);
      }
    }
    throw new CommandException(ErrorCode.BAD_VALUE, "unsupported fail point mode: " + mode);
  }

  private static FailPoints.FailCommand settings(FailPoints.Mode mode, RawDocument data) {
    List<String> commands = List.of();
    String appName = null;
    boolean close = false;
    int errorCode = 0;
    List<String> labels = List.of();
    RawDocument writeConcernError = null;
    boolean block = false;
    long blockMillis = 0;
    ArgumentReader reader = ArgumentReader.of("configureFailPoint.data", data);
    while (reader.next()) {
      switch (reader.name()) {
        case "failCommands" -> commands = strings(reader);
        case "appName" -> appName = reader.string();
        case "closeConnection" -> close = reader.bool();
        case "errorCode" -> errorCode = (int) reader.wholeNumber();
        case "errorLabels" -> labels = strings(reader);
        case "writeConcernError" -> writeConcernError = reader.document();
        case "blockConnection" -> block = reader.bool();
        case "blockTimeMS" -> blockMillis = reader.nonNegative();
        case "failInternalCommands", "threadName" -> reader.value();
        default -> reader.unknown();
      }
    }
    return new FailPoints.FailCommand(
        mode,
        Set.copyOf(commands),
        appName,
        close,
        errorCode,
        labels,
        writeConcernError,
        block ? blockMillis : 0,
        data);
  }

  private static List<String> strings(ArgumentReader reader) {
    var strings = new ArrayList<String>();
    ElementCursor elements = ArgumentTypes.array(reader.path(), reader.value()).elements();
    while (elements.next()) {
      strings.add(ArgumentTypes.string(reader.path(), elements.value()));
    }
    return strings;
  }
}
