package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.MemberConfig;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * {@code replSetUpdatePosition}: a secondary tells the primary how far it is, at once: writes wait
 * there for it. While one report is under way everything newer gathers for the next.
 */
final class PositionReports implements Runnable {
  static final String COMMAND = "replSetUpdatePosition";
  private static final int TIMEOUT_MILLIS = 5000;
  private static final int RETRY_MILLIS = 200;
  private static final int LOOK_MILLIS = 1000;

  private final Role role;
  private final AppliedOpTime applied;
  private final Progress applications;
  private final Progress roles;
  private final MemberCalls calls;
  private final Supplier<Optional<UUID>> group;
  private volatile boolean closed;

  /**
   * @param roles grows when the primary may be another one
   * @param group the log that the positions are of
   */
  PositionReports(
      Role role,
      AppliedOpTime applied,
      Progress applications,
      Progress roles,
      MemberCalls calls,
      Supplier<Optional<UUID>> group) {
    this.role = role;
    this.applied = applied;
    this.applications = applications;
    this.roles = roles;
    this.calls = calls;
    this.group = group;
  }

  @Override
  public void run() {
    OpTime told = OpTime.NONE;
    String toldWhom = null;
    try {
      while (!closed) {
        long roleSeen = roles.count();
        long seen = applications.count();
        String primary = role.primary();
        Optional<MemberConfig> self = role.self();
        if (primary == null || self.isEmpty() || primary.equals(self.get().host())) {
          roles.await(roleSeen, LOOK_MILLIS);
          continue;
        }
        OpTime now = applied.published();
        if (now.equals(told) && primary.equals(toldWhom)) {
          applications.await(seen, LOOK_MILLIS);
          continue;
        }
        if (report(primary, self.get().id(), now)) {
          told = now;
          toldWhom = primary;
        } else {
          roles.await(roleSeen, RETRY_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean report(String primary, int selfId, OpTime position) {
    try {
      calls.call(primary, TIMEOUT_MILLIS, out -> append(out, selfId, position));
      return true;
    } catch (CommandException e) {
      return false; // said again, or to the next primary
    }
  }

  private void append(BsonBuilder out, int selfId, OpTime position) {
    out.appendInt32(COMMAND, 1);
    group.get().ifPresent(id -> out.appendString("logGroup", id.toString()));
    out.startArray("optimes");
    out.startDocument(0);
    OpTimes.append(out, "durableOpTime", position);
    out.appendDate("durableWallTime", applied.wallMillis());
    OpTimes.append(out, "appliedOpTime", position);
    out.appendDate("appliedWallTime", applied.wallMillis());
    out.appendInt64("memberId", selfId);
    out.end();
    out.end();
  }

  /** Takes a report of another member. */
  static void read(RawDocument body, OtherMembers others) {
    RawValue reports = body.get("optimes");
    if (reports == null || !reports.isArray()) {
      return;
    }
    ElementCursor elements = reports.elements();
    while (elements.next()) {
      if (elements.value().isDocument()) {
        RawDocument report = elements.value().asDocument();
        int id = (int) Heartbeat.number(report, "memberId", -1);
        if (id >= 0) {
          others.applied(id, OpTimes.read(report.get("appliedOpTime")));
        }
      }
    }
  }

  void close() {
    closed = true;
  }
}
