package dev.wisent.server.profile;

import dev.wisent.base.Clock;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.operation.RunningOperation;

/** Looks at every command that has ended and reports those that are asked for. */
public final class Profiler {
  private static final int NOT_WRITTEN_LOG_ID = 20703;
  private static final int COLD_CALLS_MAX = 10;
  private static final long COLD_NANOS_MAX = 1_000_000_000;

  private final ProfileSettings settings;
  private final SlowOperationLog slowLog;
  private final ProfileCollection entries;
  private final Clock clock;
  private final ServerMetrics metrics;
  private final Log log;

  /**
   * @param entries null where there is no store for them
   */
  public Profiler(
      ProfileSettings settings,
      ProfileCollection entries,
      ServerMetrics metrics,
      Clock clock,
      Log log) {
    this.metrics = metrics;
    this.settings = settings;
    this.slowLog = new SlowOperationLog(log);
    this.entries = entries;
    this.clock = clock;
    this.log = log;
  }

  /**
   * @param reply the reply, complete but for its end
   * @param firstField where its first field is
   */
  public void ended(RunningOperation operation, long nanos, BsonBuilder reply, int firstField) {
    ProfileSettings.Database profile = settings.of(operation.request().database());
    boolean slow = settings.isSlow(nanos) && !isCold(operation, nanos);
    boolean all = log.isDebug();
    if ((!slow && !all && profile.onlySlow()) || isWait(operation)) {
      return;
    }
    boolean told = all || (slow && settings.isSampled());
    if (!told && profile.onlySlow()) {
      return;
    }
    RawDocument entry =
        ProfileEntry.of(
            operation, nanos, ReplyFigures.unfinished(reply, firstField), reply.position() + 1);
    if (profile.matching() != null) {
      told = profile.matching().matches(entry);
    }
    if (told) {
      slowLog.write(operation, entry);
    }
    if (profile.level() == 2 || (profile.level() == 1 && told)) {
      write(operation, entry);
    }
  }

  /**
   * Whether the time may be that of the Java runtime, which loads and compiles the code of a
   * command while it runs the first times: those count as slow only beyond a second more.
   */
  private boolean isCold(RunningOperation operation, long nanos) {
    return metrics.calls(operation.spec().name()) <= COLD_CALLS_MAX
        && settings.slowMillis() > 0
        && !settings.isSlow(nanos - COLD_NANOS_MAX);
  }

  /** Waiting for a change is what these do; it says nothing about speed. */
  private static boolean isWait(RunningOperation operation) {
    return operation.spec().name().equals("hello") || operation.spec().name().equals("isMaster");
  }

  private void write(RunningOperation operation, RawDocument entry) {
    String database = operation.request().database();
    if (entries == null
        || operation.spec().kind() == CommandKind.ADMIN
        || operation.namespace().equals(Namespace.profileOf(database).full())
        || entries.isLocked()) {
      return;
    }
    try {
      entries.add(database, entry, OperationContext.internal(clock));
    } catch (RuntimeException e) {
      // The command itself has done what it should.
      log.withContext(operation.client().description())
          .warn(
              NOT_WRITTEN_LOG_ID,
              "Could not write to system.profile",
              "ns",
              operation.namespace(),
              "error",
              e.toString());
    }
  }
}
