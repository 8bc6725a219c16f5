package dev.wisent.replication.member;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.OpTimes;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * {@code replSetUpdatePosition}: a secondary tells the primary how far it is. Where writes wait for
 * that, it does so at once: while one report is under way everything newer gathers for the next.
 * The primary says whether there are such writes. If there are none, as with {@code w: "majority"},
 * which the log itself answers, a report costs more than it tells: then there is some time between
 * two of them, which the first write that waits has to bear.
 */
public final class PositionReports {
  public static final String COMMAND = "replSetUpdatePosition";

  /** In the answer: whether positions are waited for. */
  public static final String AWAITED = "awaited";

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int RETRY_MILLIS = 200;
  private static final int LOOK_MILLIS = 1000;

  private final Role role;
  private final AppliedOpTime applied;
  private final Progress applications;
  private final Clock clock;
  private final NodeClient nodes;
  private final Supplier<Optional<UUID>> group;

  // Of the thread that takes the turns.
  private OpTime told = OpTime.NONE;
  private String toldWhom;
  private boolean awaited;
  private long toldNanos;

  /**
   * @param group the log that the positions are of
   */
  PositionReports(
      Role role,
      AppliedOpTime applied,
      Progress applications,
      Clock clock,
      NodeClient nodes,
      Supplier<Optional<UUID>> group) {
    this.role = role;
    this.applied = applied;
    this.applications = applications;
    this.clock = clock;
    this.nodes = nodes;
    this.group = group;
    this.toldNanos = clock.monotonicNanos();
  }

  /** Reports once, or waits until there is something to report. */
  void turn() throws InterruptedException {
    Progress roles = role.changes();
    long roleSeen = roles.count();
    long seen = applications.count();
    String primary = role.primary();
    Optional<MemberConfig> self = role.self();
    if (primary == null || self.isEmpty() || primary.equals(self.get().host())) {
      roles.await(roleSeen, LOOK_MILLIS);
      return;
    }
    OpTime now = applied.published();
    if (now.equals(told) && primary.equals(toldWhom)) {
      applications.await(seen, LOOK_MILLIS);
      return;
    }
    long pauseNanos = toldNanos + PAUSE_NANOS - clock.monotonicNanos();
    if (!awaited && pauseNanos > 0 && primary.equals(toldWhom)) {
      roles.await(roleSeen, TimeUnit.NANOSECONDS.toMillis(pauseNanos) + 1);
      return;
    }
    RawDocument answer = report(primary, self.get().id(), now);
    if (answer == null) {
      roles.await(roleSeen, RETRY_MILLIS);
      return;
    }
    told = now;
    toldWhom = primary;
    toldNanos = clock.monotonicNanos();
    RawValue waiting = answer.get(AWAITED);
    awaited = waiting != null && waiting.isTruthy();
  }

  /** The answer; null if there is none. */
  private RawDocument report(String primary, int selfId, OpTime position) {
    try {
      return nodes.run(
          HostAndPort.parse(primary),
          NodeRequest.admin(out -> append(out, selfId, position), TIMEOUT));
    } catch (CommandException e) {
      return null; // said again, or to the next primary
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
}
