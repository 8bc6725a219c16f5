package dev.wisent.replication.member;

import dev.wisent.replication.ElectionReason;
import dev.wisent.replication.ElectionReport;
import dev.wisent.replication.ElectionReport.Calls;
import dev.wisent.replication.ElectionReport.Counts;
import dev.wisent.replication.ElectionReport.Voted;
import dev.wisent.replication.ElectionReport.Won;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Ballot;
import dev.wisent.replication.raft.Leadership;
import java.util.EnumMap;
import java.util.Map;

/**
 * Remembers elections. Raft does not tell why it elects, so that is concluded from what happened:
 * whether it was asked for, and whether the primary before was still there. Thread-safe.
 */
final class Elections {
  private static final long RECONSIDER_MILLIS = 3000;

  private final MemberSetup setup;
  private final ConfigStore configs;
  private final OtherMembers others;
  private final AppliedOpTime applied;
  private final Map<ElectionReason, Long> successes = new EnumMap<>(ElectionReason.class);
  private Leadership last = new Leadership(0, null, false);
  private String lastPrimary;
  private boolean steppingUp;
  private boolean steppingDown;
  private long stepUps;
  private long stepDownsByHigherTerm;
  private Won won;
  private Voted voted;

  Elections(MemberSetup setup, ConfigStore configs, OtherMembers others, AppliedOpTime applied) {
    this.setup = setup;
    this.configs = configs;
    this.others = others;
    this.applied = applied;
  }

  /** An administrator wants this member to lead. */
  synchronized void stepUp() {
    stepUps++;
    steppingUp = true;
  }

  /** An administrator does not want it to lead any more. */
  synchronized void stepDown() {
    steppingDown = true;
  }

  /** What Raft says about leadership; told again and again. */
  synchronized void look(Leadership now) {
    noteNewTerm();
    reconsider();
    if (now.equals(last)) {
      return;
    }
    ReplicaSetConfig config = configs.current();
    if (now.ready() && config == null) {
      return; // The set is just being initiated.
    }
    if (last.ready() && !now.ready()) {
      ended(now);
    }
    if (now.ready() && !last.ready()) {
      begun(now, config);
    } else if (!now.ready() && now.leaderId() != null && now.term() > votedTerm()) {
      voted(now, config);
    }
    if (now.leaderId() != null && !now.leaderId().equals(setup.raft().id().orElse(null))) {
      lastPrimary = now.leaderId();
    }
    last = now;
  }

  private long votedTerm() {
    return voted == null ? 0 : voted.term();
  }

  private void ended(Leadership now) {
    won = null;
    if (now.term() > last.term() && !steppingDown) {
      stepDownsByHigherTerm++;
    }
    steppingDown = false;
  }

  private void begun(Leadership now, ReplicaSetConfig config) {
    MemberConfig self =
        setup.raft().id().map(PeerIds::memberId).flatMap(config::member).orElse(null);
    if (self == null) {
      return;
    }
    ElectionReason reason = reason(config);
    steppingUp = false;
    successes.merge(reason, 1L, Long::sum);
    won =
        new Won(
            reason,
            setup.clock().wallMillis(),
            now.term(),
            applied.opTime(),
            config.majorityVoteCount(),
            self.priority(),
            config.settings().electionTimeoutMillis(),
            lastPrimary == null ? -1 : PeerIds.memberId(lastPrimary),
            0);
  }

  private ElectionReason reason(ReplicaSetConfig config) {
    if (steppingUp) {
      return ElectionReason.STEP_UP;
    }
    return config.voterCount() == 1 ? ElectionReason.ALONE : ElectionReason.ELECTION_TIMEOUT;
  }

  /**
   * A primary that answers right after the election was not missed: it has given up leadership
   * because this member is preferred, or because it was told to.
   */
  private void reconsider() {
    if (won == null || won.reason() != ElectionReason.ELECTION_TIMEOUT) {
      return;
    }
    MemberView before = others.view(won.priorPrimaryId());
    boolean soon = setup.clock().wallMillis() - won.dateMillis() < RECONSIDER_MILLIS;
    ReplicaSetConfig config = configs.current();
    if (soon && before.isUp() && before.askedAtMillis() > won.dateMillis() && config != null) {
      boolean preferred =
          config
              .member(won.priorPrimaryId())
              .map(member -> won.priority() > member.priority())
              .orElse(false);
      ElectionReason reason =
          preferred ? ElectionReason.PRIORITY_TAKEOVER : ElectionReason.HANDED_ON;
      successes.merge(won.reason(), -1L, Long::sum);
      successes.merge(reason, 1L, Long::sum);
      won = won.because(reason);
    }
  }

  private void voted(Leadership now, ReplicaSetConfig config) {
    Ballot ballot = setup.raft().ballot();
    OpTime position = applied.opTime();
    OpTime newest = position;
    double priority = 0;
    if (config != null) {
      for (MemberConfig member : config.members()) {
        OpTime theirs = others.view(member.id()).applied();
        newest = theirs.compareTo(newest) > 0 ? theirs : newest;
      }
      priority =
          setup
              .raft()
              .id()
              .map(PeerIds::memberId)
              .flatMap(config::member)
              .map(MemberConfig::priority)
              .orElse(0.0);
    }
    voted =
        new Voted(
            ballot.votedTerm() == now.term() && now.leaderId().equals(ballot.votedFor()),
            now.term(),
            setup.clock().wallMillis(),
            PeerIds.memberId(now.leaderId()),
            position,
            newest,
            priority,
            0,
            0);
  }

  /** The first operation of a term tells that it has begun. */
  private void noteNewTerm() {
    if (won != null && won.majorityMillis() == 0 && applied.opTime().term() >= won.term()) {
      won = won.available(setup.clock().wallMillis());
    }
    if (voted != null
        && voted.newTermAppliedMillis() == 0
        && applied.opTime().term() >= voted.term()) {
      voted = voted.applied(applied.wallMillis(), setup.clock().wallMillis());
    }
  }

  synchronized ElectionReport report() {
    long timeouts = count(ElectionReason.ELECTION_TIMEOUT) + count(ElectionReason.ALONE);
    long takeovers = count(ElectionReason.PRIORITY_TAKEOVER);
    long asked = count(ElectionReason.STEP_UP) + count(ElectionReason.HANDED_ON);
    long wins = timeouts + takeovers + asked;
    long lost = Math.max(0, setup.raft().ballot().candidacies() - wins);
    return new ElectionReport(
        won,
        voted,
        new Counts(
            new Calls(stepUps + count(ElectionReason.HANDED_ON), asked),
            new Calls(takeovers, takeovers),
            new Calls(timeouts + lost, timeouts),
            stepDownsByHigherTerm,
            wins));
  }

  private long count(ElectionReason reason) {
    return successes.getOrDefault(reason, 0L);
  }
}
