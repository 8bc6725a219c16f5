package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.LogLevels;
import dev.wisent.base.log.ServerLog;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.connection.ConnectionLog;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How much the log says: {@code logLevel}, {@code logComponentVerbosity} and {@code quiet}. */
final class LogParameters {
  private static final String LEVEL = "logLevel";
  private static final String COMPONENTS = "logComponentVerbosity";
  private static final String VERBOSITY = "verbosity";

  private final LogLevels levels;

  private LogParameters(LogLevels levels) {
    this.levels = levels;
  }

  static List<ServerParameter> of(ServerLog log) {
    LogLevels levels = log.levels();
    var parameters = new LogParameters(levels);
    return List.of(
        ServerParameter.of(
            LEVEL,
            () -> RawValue.ofInt32(levels.setting(LogComponent.DEFAULT)),
            given ->
                levels.set(
                    LogComponent.DEFAULT,
                    (int) ServerParameter.within(LEVEL, given, 0, LogLevels.VERBOSITY_MAX))),
        ServerParameter.of(COMPONENTS, parameters::components, parameters::setComponents),
        ServerParameter.flag("redactClientLogData", log::redacts, log::redact),
        ServerParameter.flag(
            "quiet",
            () -> log.mutes(ConnectionLog.ROUTINE),
            quiet -> log.mute(quiet ? ConnectionLog.ROUTINE : Set.of())));
  }

  private RawValue components() {
    var out = new BsonBuilder();
    append(LogComponent.DEFAULT, out);
    return RawValue.ofDocument(out.toDocument());
  }

  private void append(LogComponent component, BsonBuilder out) {
    out.appendInt32(VERBOSITY, levels.setting(component));
    for (LogComponent child : LogComponent.values()) {
      if (child.parent().orElse(null) == component) {
        out.startDocument(child.settingName());
        append(child, out);
        out.end();
      }
    }
  }

  /** Changes all that are named, or none if there is a mistake. */
  private void setComponents(RawValue given) {
    Map<LogComponent, Integer> changes = new EnumMap<>(LogComponent.class);
    read(LogComponent.DEFAULT, "", settings(given), changes);
    changes.forEach(levels::set);
  }

  /** On the command line it is JSON. */
  private static RawDocument settings(RawValue given) {
    if (given.isString()) {
      try {
        return RawDocument.parse(given.asString());
      } catch (RuntimeException e) {
        throw ServerParameter.bad(COMPONENTS, "not a document: " + given.asString());
      }
    }
    if (!given.isDocument() || given.isArray()) {
      throw ServerParameter.bad(COMPONENTS, "not a document");
    }
    return given.asDocument();
  }

  private static void read(
      LogComponent component,
      String path,
      RawDocument settings,
      Map<LogComponent, Integer> changes) {
    ElementCursor fields = settings.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      if (fields.name().equals(VERBOSITY)) {
        changes.put(component, verbosity(component, path + VERBOSITY, value));
        continue;
      }
      LogComponent child = child(component, path, fields.name());
      String childPath = path + fields.name() + ".";
      if (value.isDocument() && !value.isArray()) {
        read(child, childPath, value.asDocument(), changes);
      } else {
        changes.put(child, verbosity(child, path + fields.name(), value));
      }
    }
  }

  private static LogComponent child(LogComponent parent, String path, String name) {
    for (LogComponent candidate : LogComponent.values()) {
      if (candidate.parent().orElse(null) == parent && candidate.settingName().equals(name)) {
        return candidate;
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE, "Invalid component name " + path + name + " in " + COMPONENTS);
  }

  /** Negative for a component that follows its parent again. */
  private static int verbosity(LogComponent component, String path, RawValue value) {
    if (!value.isNumber()) {
      throw ServerParameter.bad(COMPONENTS, path + " is not a number");
    }
    long level = value.toLong();
    if (level > LogLevels.VERBOSITY_MAX || (level < 0 && component == LogComponent.DEFAULT)) {
      throw ServerParameter.bad(
          COMPONENTS, path + " is not from 0 to " + LogLevels.VERBOSITY_MAX + ": " + level);
    }
    return level < 0 ? LogLevels.INHERIT : (int) level;
  }
}
