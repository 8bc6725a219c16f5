package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.database.SortSettings;
import dev.wisent.database.read.SnapshotHistory;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.profile.ProfileSettings;
import dev.wisent.server.ttl.TtlMonitor;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The parameters of getParameter and setParameter, in one table. */
public final class ServerParameters {
  private static final String TEST_COMMANDS = "enableTestCommands";

  /**
   * A row of the table.
   *
   * @param change null for one that is set at start-up only
   */
  private record Parameter(Supplier<RawValue> value, Consumer<RawValue> change) {}

  private final Map<String, Parameter> parameters = new TreeMap<>();

  public ServerParameters(ServerServices services) {
    ServerOptions options = services.options();
    SortSettings sorting = services.database().shared().sorting();
    ProfileSettings profiling = services.profiling();
    CursorRegistry cursors = services.cursors();
    fixed(TEST_COMMANDS, RawValue.ofBoolean(testCommandsEnabled(options)));
    fixed("authSchemaVersion", RawValue.ofInt32(5));
    fixed("authenticationMechanisms", RawValue.ofArray(new BsonBuilder().toDocument()));
    fixed("journalCommitInterval", RawValue.ofInt32(options.journalIntervalMillis()));
    fixed("logicalSessionTimeoutMinutes", RawValue.ofInt32(30));
    fixed(
        "maxAcceptableLogicalClockDriftSecs",
        RawValue.ofInt64(Limits.CLUSTER_TIME_DRIFT_SECONDS_MAX));
    fixed("notablescan", RawValue.ofBoolean(options.noTableScan()));
    fixed("featureCompatibilityVersion", featureCompatibilityVersion());
    parameters.put(
        "slowms",
        new Parameter(
            () -> RawValue.ofInt32((int) profiling.slowMillis()),
            value -> profiling.slowMillis(number("slowms", value))));
    number("cursorTimeoutMillis", 1, cursors::timeoutMillis, cursors::timeoutMillis);
    number("internalQueryMaxBlockingSortMemoryUsageBytes", 0, sorting::bytesMax, sorting::bytesMax);
    parameters.put(
        "allowDiskUseByDefault",
        new Parameter(
            () -> RawValue.ofBoolean(sorting.diskUseByDefault()),
            value -> sorting.diskUseByDefault(value.isTruthy())));
    SnapshotHistory snapshots = services.database().shared().snapshots();
    number(
        "minSnapshotHistoryWindowInSeconds",
        0,
        snapshots::windowSeconds,
        seconds -> snapshots.windowSeconds((int) Math.min(seconds, Integer.MAX_VALUE)));
    addTtl(services.ttlMonitor());
    options.setParameters().forEach(this::setAtStart);
  }

  private void addTtl(TtlMonitor ttl) {
    parameters.put(
        "ttlMonitorEnabled",
        new Parameter(
            () -> RawValue.ofBoolean(ttl.isEnabled()), value -> ttl.enabled(value.isTruthy())));
    parameters.put(
        "ttlMonitorSleepSecs",
        new Parameter(
            () -> RawValue.ofInt32(ttl.sleepSeconds()),
            value -> ttl.sleepSeconds((int) atLeast(1, "ttlMonitorSleepSecs", value))));
  }

  /** Whether the server was started with test commands. */
  public static boolean testCommandsEnabled(ServerOptions options) {
    return isTrue(options.setParameters().get(TEST_COMMANDS));
  }

  private static boolean isTrue(String value) {
    return value != null && (value.equals("1") || value.equals("true"));
  }

  /** A whole number that can be changed. */
  private void number(String name, long min, LongSupplier value, LongConsumer change) {
    parameters.put(
        name,
        new Parameter(
            () -> RawValue.ofInt64(value.getAsLong()),
            given -> change.accept(atLeast(min, name, given))));
  }

  private void fixed(String name, RawValue value) {
    parameters.put(name, new Parameter(() -> value, null));
  }

  private static RawValue featureCompatibilityVersion() {
    return RawValue.ofDocument(
        new BsonBuilder()
            .appendString("version", ServerVersion.FEATURE_COMPATIBILITY)
            .toDocument());
  }

  private static long number(String name, RawValue value) {
    if (!value.isNumber()) {
      throw new CommandException(ErrorCode.BAD_VALUE, name + " must be a number");
    }
    return value.toLong();
  }

  private static long atLeast(long min, String name, RawValue value) {
    long number = number(name, value);
    if (number < min) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Invalid value for parameter %s: %d is not greater than or equal to %d"
              .formatted(name, number, min));
    }
    return number;
  }

  private void setAtStart(String name, String text) {
    Parameter parameter = parameters.get(name);
    if (parameter == null) {
      throw new IllegalArgumentException("Illegal --setParameter parameter: \"" + name + "\"");
    }
    if (parameter.change() != null) {
      try {
        parameter.change().accept(valueOf(text));
      } catch (CommandException e) {
        throw new IllegalArgumentException("Bad value for --setParameter: " + e.getMessage(), e);
      }
    } else if (!name.equals(TEST_COMMANDS)) {
      throw new IllegalArgumentException("Cannot use --setParameter to set \"" + name + "\"");
    }
  }

  /** What a parameter of the command line means: a boolean, a number, or a string. */
  private static RawValue valueOf(String text) {
    if (text.equals("true") || text.equals("false")) {
      return RawValue.ofBoolean(text.equals("true"));
    }
    try {
      return RawValue.ofInt64(Long.parseLong(text));
    } catch (NumberFormatException notWhole) {
      return RawValue.ofString(text);
    }
  }

  /** Writes a parameter under its name; false if there is none. */
  boolean append(String name, BsonBuilder out, boolean details) {
    Parameter parameter = parameters.get(name);
    if (parameter == null) {
      return false;
    }
    if (!details) {
      out.append(name, parameter.value().get());
      return true;
    }
    out.startDocument(name);
    out.append("value", parameter.value().get());
    out.appendBoolean("settableAtRuntime", parameter.change() != null);
    out.appendBoolean("settableAtStartup", true);
    out.end();
    return true;
  }

  void appendAll(BsonBuilder out, boolean details) {
    parameters.keySet().forEach(name -> append(name, out, details));
  }

  /** Changes a parameter; returns its value from before. */
  RawValue set(String name, RawValue value) {
    Parameter parameter = parameters.get(name);
    if (parameter == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "attempted to set unrecognized parameter [" + name + "], use help:true to see options ");
    }
    if (parameter.change() == null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "not allowed to change [" + name + "] at runtime");
    }
    RawValue was = parameter.value().get();
    parameter.change().accept(value);
    return was;
  }
}
