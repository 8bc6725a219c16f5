package dev.wisent.server.command.diagnostic;

import static dev.wisent.server.command.diagnostic.ServerParameter.atStart;
import static dev.wisent.server.command.diagnostic.ServerParameter.fixed;
import static dev.wisent.server.command.diagnostic.ServerParameter.flag;
import static dev.wisent.server.command.diagnostic.ServerParameter.number;
import static dev.wisent.server.command.diagnostic.ServerParameter.only;
import static dev.wisent.server.command.diagnostic.ServerParameter.smallNumber;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.RangeDeletionSettings;
import dev.wisent.operation.ReadPoints;
import dev.wisent.operation.SortSettings;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.transaction.TransactionLimits;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.ServerServices;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.BalancerParameters;
import dev.wisent.server.command.RequestSettings;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.profile.ProfileSettings;
import dev.wisent.server.ttl.TtlMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The parameters of getParameter and setParameter, in one table. */
public final class ServerParameters {
  private static final String TEST_COMMANDS = "enableTestCommands";

  private final Map<String, ServerParameter> parameters = new TreeMap<>();

  public ServerParameters(ServerServices services) {
    ServerOptions options = services.options();
    facts(options).forEach(this::add);
    LogParameters.of(services.log()).forEach(this::add);
    add(tlsMode(services.tls()));
    AuditLog audit = services.audit();
    add(
        flag(
            "auditAuthorizationSuccess",
            audit::tellsSuccessfulChecks,
            audit::tellSuccessfulChecks));
    logins(services.access().logins()).forEach(this::add);
    requests(services.requestSettings()).forEach(this::add);
    balancer(services.balancer()).forEach(this::add);
    messages(services.messageMemory()).forEach(this::add);
    services.ttlMonitor().ifPresent(monitor -> ttl(monitor).forEach(this::add));
    ProfileSettings profiling = services.profiling();
    add(smallNumber("slowms", Integer.MIN_VALUE, profiling::slowMillis, profiling::slowMillis));
    CursorRegistry cursors = services.cursors();
    add(number("cursorTimeoutMillis", 1, cursors::timeoutMillis, cursors::timeoutMillis));
    transactions(services.transactions().limits()).forEach(this::add);
    services.stored().ifPresent(stored -> store(stored.store()).forEach(this::add));
    options.setParameters().forEach(this::setAtStart);
  }

  private static List<ServerParameter> store(NodeStore store) {
    ReadPoints snapshots = store.readPoints();
    var parameters = new ArrayList<>(queries(store.sorting()));
    parameters.add(
        smallNumber(
            "minSnapshotHistoryWindowInSeconds",
            0,
            snapshots::windowSeconds,
            seconds -> snapshots.windowSeconds((int) seconds)));
    parameters.addAll(rangeDeletions(store.rangeDeletions()));
    return parameters;
  }

  private static List<ServerParameter> rangeDeletions(RangeDeletionSettings settings) {
    return List.of(
        smallNumber(
            "orphanCleanupDelaySecs",
            0,
            settings::delaySeconds,
            seconds -> settings.delaySeconds((int) seconds)),
        smallNumber(
            "rangeDeleterBatchSize",
            1,
            settings::batchSize,
            documents -> settings.batchSize((int) documents)),
        smallNumber(
            "rangeDeleterBatchDelayMS",
            0,
            settings::batchDelayMillis,
            millis -> settings.batchDelayMillis((int) millis)),
        flag("disableResumableRangeDeleter", settings::disabled, settings::disabled));
  }

  private void add(ServerParameter parameter) {
    parameters.put(parameter.name(), parameter);
  }

  /** What cannot be changed, or only by a flag. */
  private static List<ServerParameter> facts(ServerOptions options) {
    return List.of(
        fixed(TEST_COMMANDS, RawValue.ofBoolean(testCommandsEnabled(options))),
        fixed("authSchemaVersion", RawValue.ofInt32(5)),
        fixed("clientCursorMonitorFrequencySecs", RawValue.ofInt32(CursorRegistry.CHECK_SECONDS)),
        fixed("featureCompatibilityVersion", featureCompatibilityVersion()),
        fixed("journalCommitInterval", RawValue.ofInt32(options.journalIntervalMillis())),
        fixed(
            "localLogicalSessionTimeoutMinutes", RawValue.ofInt32(Limits.SESSION_TIMEOUT_MINUTES)),
        fixed(
            "maxAcceptableLogicalClockDriftSecs",
            RawValue.ofInt64(Limits.CLUSTER_TIME_DRIFT_SECONDS_MAX)),
        fixed("maxBSONDepth", RawValue.ofInt32(Limits.NESTING_DEPTH_MAX_INTERNAL)),
        fixed(
            "maxIndexBuildMemoryUsageMegabytes",
            RawValue.ofInt32(Limits.INDEX_BUILD_SORT_BYTES_MAX >> 20)),
        fixed("maxNumActiveUserIndexBuilds", RawValue.ofInt32(Limits.INDEX_BUILDS_MAX)),
        fixed("maxSessions", RawValue.ofInt32(Limits.SESSIONS_MAX)),
        only("diagnosticDataCollectionEnabled", false, "the server keeps no such files"));
  }

  /** One step of a rolling upgrade at a time; the way back is a restart. */
  private static ServerParameter tlsMode(TlsState tls) {
    return new ServerParameter(
        "tlsMode",
        () -> RawValue.ofString(tls.mode().toString()),
        given -> {
          Optional<TlsOptions.Mode> mode =
              given.isString() ? TlsOptions.Mode.of(given.asString()) : Optional.empty();
          if (mode.isEmpty()) {
            throw ServerParameter.bad("tlsMode", given + " is no mode");
          }
          TlsOptions.Mode was = tls.mode();
          if (!tls.upgrade(mode.get())) {
            throw new CommandException(
                ErrorCode.BAD_VALUE,
                "Illegal state transition for tlsMode, attempt to change from "
                    + was
                    + " to "
                    + mode.get());
          }
        },
        true,
        false);
  }

  private static List<ServerParameter> logins(LoginSettings settings) {
    var mechanisms = new BsonBuilder();
    for (int i = 0; i < settings.mechanisms().size(); i++) {
      mechanisms.append(i, RawValue.ofString(settings.mechanisms().get(i)));
    }
    return List.of(
        atStart(LoginSettings.MECHANISMS_PARAMETER, RawValue.ofArray(mechanisms.toDocument())),
        atStart(LoginSettings.BYPASS_PARAMETER, RawValue.ofBoolean(settings.localhostBypass())),
        smallNumber(
            "scramIterationCount",
            LoginSettings.ITERATIONS_MIN,
            settings::sha1Iterations,
            count -> settings.sha1Iterations((int) count)),
        smallNumber(
            "scramSHA256IterationCount",
            LoginSettings.ITERATIONS_MIN,
            settings::sha256Iterations,
            count -> settings.sha256Iterations((int) count)));
  }

  private static List<ServerParameter> requests(RequestSettings settings) {
    return List.of(
        flag("notablescan", settings::noTableScan, settings::noTableScan),
        flag("requireApiVersion", settings::apiVersionRequired, settings::apiVersionRequired));
  }

  /** Of the balancer of config servers; every node has them, as in MongoDB. */
  private static List<ServerParameter> balancer(BalancerParameters balancer) {
    return List.of(
        smallNumber(
            "balancerMigrationsThrottlingMs",
            0,
            balancer::migrationsThrottlingMillis,
            millis -> balancer.migrationsThrottlingMillis((int) millis)),
        smallNumber(
            "autoMergerIntervalSecs",
            1,
            balancer::autoMergerIntervalSeconds,
            seconds -> balancer.autoMergerIntervalSeconds((int) seconds)),
        smallNumber(
            "autoMergerThrottlingMS",
            0,
            balancer::autoMergerThrottlingMillis,
            millis -> balancer.autoMergerThrottlingMillis((int) millis)),
        flag(
            "balancerMovesDrainedDatabases",
            balancer::movesDrainedDatabases,
            balancer::movesDrainedDatabases));
  }

  private static List<ServerParameter> queries(SortSettings sorting) {
    return List.of(
        flag("allowDiskUseByDefault", sorting::diskUseByDefault, sorting::diskUseByDefault),
        number(
            "internalQueryMaxBlockingSortMemoryUsageBytes",
            0,
            sorting::bytesMax,
            sorting::bytesMax),
        fixed("internalQueryFrameworkControl", RawValue.ofString("forceClassicEngine")),
        fixed(
            "internalQueryFacetMaxOutputDocSizeBytes", RawValue.ofInt64(Limits.GATHERED_BYTES_MAX)),
        fixed(
            "internalLookupStageIntermediateDocumentMaxSizeBytes",
            RawValue.ofInt64(Limits.GATHERED_BYTES_MAX)),
        fixed("internalQueryMaxPushBytes", RawValue.ofInt64(Limits.GATHERED_BYTES_MAX)),
        fixed("internalQueryMaxAddToSetBytes", RawValue.ofInt64(Limits.GATHERED_BYTES_MAX)),
        fixed(
            "internalQueryCacheMaxEntriesPerCollection",
            RawValue.ofInt32(Limits.PLAN_CACHE_ENTRIES_MAX)),
        fixed("internalQueryPlanEvaluationWorks", RawValue.ofInt32(Limits.PLAN_RACE_WORKS_MIN)),
        fixed(
            "internalQueryPlanEvaluationCollFraction",
            RawValue.ofDouble(Limits.PLAN_RACE_WORKS_PER_DOCUMENT)),
        fixed(
            "internalQueryPlanEvaluationMaxResults",
            RawValue.ofInt32(Limits.PLAN_RACE_ROWS_ENOUGH)));
  }

  /** The memory of messages in flight. */
  private static List<ServerParameter> messages(MessageMemory memory) {
    return List.of(
        number(
            "messageMemoryLimitBytes",
            Limits.MESSAGE_MEMORY_BYTES_MIN,
            Limits.MESSAGE_MEMORY_BYTES_MAX,
            memory::bytesMax,
            memory::bytesMax),
        number(
            "messageMemorySlowClientMillis",
            Limits.SLOW_CLIENT_MILLIS_MIN,
            Limits.SLOW_CLIENT_MILLIS_MAX,
            memory::slowClientMillis,
            millis -> memory.slowClientMillis((int) millis)));
  }

  private static List<ServerParameter> ttl(TtlMonitor ttl) {
    return List.of(
        flag("ttlMonitorEnabled", ttl::isEnabled, ttl::enabled),
        smallNumber(
            "ttlMonitorSleepSecs",
            1,
            ttl::sleepSeconds,
            seconds -> ttl.sleepSeconds((int) seconds)));
  }

  private static List<ServerParameter> transactions(TransactionLimits limits) {
    return List.of(
        smallNumber(
            "transactionLifetimeLimitSeconds",
            1,
            limits::lifetimeSeconds,
            seconds -> limits.lifetimeSeconds((int) seconds)),
        smallNumber(
            "maxTransactionLockRequestTimeoutMillis",
            Integer.MIN_VALUE,
            limits::lockWaitMillis,
            millis -> limits.lockWaitMillis((int) millis)));
  }

  /** Whether the server was started with test commands. */
  public static boolean testCommandsEnabled(ServerOptions options) {
    return isTrue(options.setParameters().get(TEST_COMMANDS));
  }

  private static boolean isTrue(String value) {
    return value != null && (value.equals("1") || value.equals("true"));
  }

  private static RawValue featureCompatibilityVersion() {
    return RawValue.ofDocument(
        new BsonBuilder()
            .appendString("version", ServerVersion.FEATURE_COMPATIBILITY)
            .toDocument());
  }

  private void setAtStart(String name, String text) {
    ServerParameter parameter = parameters.get(name);
    if (parameter == null) {
      throw new IllegalArgumentException("Illegal --setParameter parameter: \"" + name + "\"");
    }
    if (parameter.atStart()) {
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
    ServerParameter parameter = parameters.get(name);
    if (parameter == null) {
      return false;
    }
    if (!details) {
      out.append(name, parameter.value().get());
      return true;
    }
    out.startDocument(name);
    out.append("value", parameter.value().get());
    out.appendBoolean("settableAtRuntime", parameter.atRuntime());
    out.appendBoolean("settableAtStartup", parameter.atStart() || name.equals(TEST_COMMANDS));
    out.end();
    return true;
  }

  void appendAll(BsonBuilder out, boolean details) {
    parameters.keySet().forEach(name -> append(name, out, details));
  }

  /** Fails for a parameter that setParameter cannot change. */
  void checkChangeable(String name) {
    ServerParameter parameter = parameters.get(name);
    if (parameter == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "attempted to set unrecognized parameter [" + name + "], use help:true to see options ");
    }
    if (!parameter.atRuntime()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, "not allowed to change [" + name + "] at runtime");
    }
  }

  /** Changes a parameter; returns its value from before. */
  RawValue set(String name, RawValue value) {
    ServerParameter parameter = parameters.get(name);
    RawValue was = parameter.value().get();
    parameter.change().accept(value);
    return was;
  }
}
