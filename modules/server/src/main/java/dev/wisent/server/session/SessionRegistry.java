package dev.wisent.server.session;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.operation.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The logical sessions that were used on this node lately. Drivers send one with nearly every
 * command, so using a session is a look-up and no more. Thread-safe.
 */
public final class SessionRegistry {
  /** A last use is kept only so exactly, that busy sessions do not write to memory all the time. */
  private static final long EXACTNESS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long TIMEOUT_NANOS =
      TimeUnit.MINUTES.toNanos(Limits.SESSION_TIMEOUT_MINUTES);

  private final Clock clock;
  private final ConcurrentHashMap<SessionId, LastUse> sessions = new ConcurrentHashMap<>();

  /** When a session was used. */
  private static final class LastUse {
    private volatile long nanos;

    LastUse(long nanos) {
      this.nanos = nanos;
    }
  }

  private volatile SessionJob idleJob = SessionJob.NEVER;
  private volatile SessionJob recordJob = SessionJob.NEVER;

  /** A session as {@code $listLocalSessions} shows it. */
  public record Listed(SessionId id, long lastUseMillis) {}

  public SessionRegistry(Clock clock) {
    this.clock = clock;
  }

  /** Notes that a session is used now; it begins with its first use. */
  public void used(SessionId id) {
    long now = clock.monotonicNanos();
    LastUse lastUse = sessions.get(id);
    if (lastUse == null) {
      if (sessions.size() >= Limits.SESSIONS_MAX) {
        throw new CommandException(
            ErrorCode.TOO_MANY_LOGICAL_SESSIONS,
            "Unable to add session into the cache because the number of active sessions is too"
                + " high");
      }
      sessions.put(id, new LastUse(now));
    } else if (now - lastUse.nanos > EXACTNESS_NANOS) {
      lastUse.nanos = now;
    }
  }

  public void end(SessionId id) {
    sessions.remove(id);
  }

  public void endIf(Predicate<SessionId> condition) {
    sessions.keySet().removeIf(condition);
  }

  public int count() {
    return sessions.size();
  }

  /** Ends the sessions that were not used for a long time, and returns them. */
  Set<SessionId> endIdle() {
    long now = clock.monotonicNanos();
    var ended = new HashSet<SessionId>();
    sessions.forEach(
        (id, lastUse) -> {
          if (now - lastUse.nanos > TIMEOUT_NANOS && sessions.remove(id, lastUse)) {
            ended.add(id);
          }
        });
    return ended;
  }

  /** How idle sessions were ended. */
  public SessionJob idleJob() {
    return idleJob;
  }

  /** How records of writes were removed. */
  public SessionJob recordJob() {
    return recordJob;
  }

  void idleJob(SessionJob done) {
    idleJob = done;
  }

  void recordJob(SessionJob done) {
    recordJob = done;
  }

  public List<Listed> list() {
    long now = clock.monotonicNanos();
    long nowMillis = clock.wallMillis();
    var list = new ArrayList<Listed>();
    sessions.forEach(
        (id, lastUse) ->
            list.add(
                new Listed(id, nowMillis - TimeUnit.NANOSECONDS.toMillis(now - lastUse.nanos))));
    return list;
  }
}
