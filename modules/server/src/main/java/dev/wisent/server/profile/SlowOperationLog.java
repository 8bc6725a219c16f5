package dev.wisent.server.profile;

import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogValue;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.operation.RunningOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Log lines for commands that took long: what the profile has, in the words of the log. */
final class SlowOperationLog {
  private static final int SLOW_QUERY_LOG_ID = 51803;

  private static final int COMMAND_BYTES_MAX = 4096;

  private static final Set<String> LEFT_OUT = Set.of("op", "client", "ts", "allUsers", "user");
  private static final Map<String, String> NAMES =
      Map.of("numYield", "numYields", "responseLength", "reslen", "millis", "durationMillis");

  private final Log log;

  SlowOperationLog(Log log) {
    this.log = log;
  }

  void write(RunningOperation operation, RawDocument entry) {
    List<Object> attributes = new ArrayList<>(List.of("type", "command"));
    ElementCursor fields = entry.elements();
    while (fields.next()) {
      String name = fields.name();
      if (!LEFT_OUT.contains(name)) {
        attributes.add(NAMES.getOrDefault(name, name));
        attributes.add(
            name.equals("command")
                ? command(operation, fields.value().asDocument())
                : attribute(fields.value()));
      }
    }
    attributes.add("remote");
    attributes.add(operation.client().remoteAddress());
    log.withContext(operation.client().description())
        .info(SLOW_QUERY_LOG_ID, "Slow query", attributes.toArray());
  }

  /** Whole if it is short. */
  private static Object command(RunningOperation operation, RawDocument command) {
    return command.length() > COMMAND_BYTES_MAX
        ? operation.spec().name() + " (" + operation.command().length() + " bytes)"
        : json(command);
  }

  private static LogValue json(RawDocument document) {
    return new LoggedDocument(document);
  }

  private static Object attribute(RawValue value) {
    if (value.isDocument()) {
      return json(value.asDocument());
    }
    if (value.isString()) {
      return value.asString();
    }
    return value.isNumber() ? (Object) value.toLong() : value.isTruthy();
  }
}
