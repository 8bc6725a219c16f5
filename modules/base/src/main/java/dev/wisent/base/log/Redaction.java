package dev.wisent.base.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes what clients have stored or asked out of log lines: {@code redactClientLogData}. What is
 * not known to be free of it is replaced, so that a new attribute cannot leak by being forgotten.
 * As in MongoDB, names of databases, collections, indexes and fields stay.
 */
final class Redaction {
  static final String HIDDEN = "###";

  private static final int CAUSES_MAX = 5;

  /** Attributes whose text comes from the server, its operator or its network. */
  private static final Set<String> KNOWN =
      Set.of(
          "Library",
          "address",
          "appName",
          "architecture",
          "at",
          "away",
          "before",
          "bindAddresses",
          "client",
          "command",
          "compatibleWith",
          "configServers",
          "coordinator",
          "databases",
          "db",
          "dbPath",
          "errName",
          "file",
          "from",
          "givenAway",
          "here",
          "host",
          "hostAndPort",
          "index",
          "indexes",
          "logGroup",
          "logger",
          "loop",
          "mechanism",
          "name",
          "namespace",
          "negotiatedCompressors",
          "newState",
          "now",
          "ns",
          "oldState",
          "op",
          "option",
          "outcome",
          "peer",
          "peers",
          "phase",
          "planCacheKey",
          "planCacheShapeHash",
          "planSummary",
          "primary",
          "protocol",
          "queryFramework",
          "queryHash",
          "remote",
          "set",
          "shard",
          "signal",
          "ssl",
          "target",
          "task",
          "terminationCause",
          "to",
          "type",
          "user",
          "version");

  private Redaction() {}

  static LogEvent of(LogEvent event) {
    Object[] pairs = event.keyValues().clone();
    for (int i = 1; i < pairs.length; i += 2) {
      pairs[i] = value(KNOWN.contains(String.valueOf(pairs[i - 1])), pairs[i]);
    }
    return new LogEvent(
        event.severity(),
        event.component(),
        event.id(),
        event.context(),
        event.message(),
        pairs,
        event.error() == null ? null : new RedactedException(event.error(), CAUSES_MAX),
        event.startupWarning());
  }

  private static Object value(boolean known, Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return value;
    }
    if (value instanceof LogValue logged) {
      return (LogValue) logged::appendRedacted;
    }
    if (value instanceof Object[] items) {
      return values(known, List.of(items));
    }
    if (value instanceof Map<?, ?> map) {
      var redacted = new LinkedHashMap<Object, Object>();
      map.forEach((key, inside) -> redacted.put(key, value(known, inside)));
      return redacted;
    }
    if (value instanceof Iterable<?> items && !(value instanceof java.nio.file.Path)) {
      return values(known, items);
    }
    return known ? value : HIDDEN;
  }

  private static List<Object> values(boolean known, Iterable<?> items) {
    var redacted = new ArrayList<>();
    items.forEach(item -> redacted.add(value(known, item)));
    return redacted;
  }

  /** What an error was and where, without what it said. */
  private static final class RedactedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RedactedException(Throwable original, int causesMax) {
      super(
          original.getClass().getName() + ": " + HIDDEN,
          original.getCause() == null || causesMax == 0
              ? null
              : new RedactedException(original.getCause(), causesMax - 1));
      setStackTrace(original.getStackTrace());
    }
  }
}
