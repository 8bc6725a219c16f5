package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Leadership;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What this member is at the moment, derived from what Raft says about leadership and from the
 * configuration. A primary term begins and ends on the coordinating thread only; any thread may
 * read.
 */
final class Role {
  private static final int STATE_LOG_ID = 21_358;
  private static final int PRIMARY_LOG_ID = 21_331;
  private static final int STEP_DOWN_LOG_ID = 21_353;
  private static final int LEADER_LOG_ID = 21_215;

  private static final Duration FOREVER = Duration.ofDays(3650);

  private final MemberSetup setup;
  private final RaftNode raft;
  private final ConfigStore configs;
  private final Log log;
  private final Progress progress;
  private final Progress changes = new Progress();
  private volatile Current current = new Current(MemberState.STARTUP, null, -1, -1);
  private volatile PrimaryTerm primaryTerm;
  private volatile ReplicaSetConfig removedBy;
  private volatile int maintenance;

  /** Whether it does not stand for election because it was removed. Guarded by this. */
  private boolean frozen;

  /** What hello shows: a change of any of it is a change of the topology. */
  private record Current(MemberState state, String primary, int configVersion, long configTerm) {}

  /** A time as primary. */
  record PrimaryTerm(long term, long electionTimestamp, long electionMillis) {}

  Role(MemberSetup setup, ConfigStore configs, Progress progress) {
    this.setup = setup;
    this.raft = setup.raft();
    this.configs = configs;
    this.log = setup.log();
    this.progress = progress;
  }

  /**
   * The state. A client that was told that this is not the primary must not find it called so
   * afterwards: the end of a term is seen here before the coordinating thread has heard of it.
   */
  MemberState state() {
    Current seen = current;
    if (seen.state == MemberState.PRIMARY && !isLeader()) {
      refresh();
      seen = current;
    }
    return seen.state;
  }

  private boolean isLeader() {
    PrimaryTerm known = primaryTerm;
    Leadership leadership = raft.leadership();
    return known != null && leadership.ready() && leadership.term() == known.term();
  }

  /** Grows when this role is another one, or the primary. */
  Progress changes() {
    return changes;
  }

  /** The primary's {@code host:port}; null if none is known. */
  String primary() {
    return current.primary;
  }

  /** Null unless this member is primary. */
  PrimaryTerm primaryTerm() {
    return primaryTerm;
  }

  /**
   * The configuration in which this member is missing, as others have told it; else null. What the
   * log brings may be newer than what was told: then it counts.
   */
  ReplicaSetConfig removedBy() {
    ReplicaSetConfig told = removedBy;
    ReplicaSetConfig known = configs.current();
    return told != null && (known == null || told.isNewerThan(known)) ? told : null;
  }

  /**
   * The member that this node is; empty before it is in a configuration, and when it was removed.
   */
  Optional<MemberConfig> self() {
    ReplicaSetConfig config = configs.current();
    return config == null || removedBy() != null
        ? Optional.empty()
        : raft.id().map(PeerIds::memberId).flatMap(config::member);
  }

  int maintenance() {
    return maintenance;
  }

  void maintenance(int count) {
    maintenance = count;
    refresh();
  }

  /** Learns from others that the set goes on without this member; null when it is back. */
  void removedBy(ReplicaSetConfig config) {
    removedBy = config;
    refresh();
  }

  /**
   * Follows what Raft says about leadership. The database has done so already, so that no write is
   * let in after leadership is lost, and none is refused before it is told.
   */
  void follow(Leadership leadership) {
    PrimaryTerm before = primaryTerm;
    if (before != null && !(leadership.ready() && leadership.term() == before.term())) {
      primaryTerm = null;
      log.info(STEP_DOWN_LOG_ID, "Stepped down from primary", "term", before.term());
    }
    if (leadership.ready() && primaryTerm == null && announce()) {
      primaryTerm =
          new PrimaryTerm(
              leadership.term(), setup.clusterClock().tick(), setup.clock().wallMillis());
      log.info(
          PRIMARY_LOG_ID,
          "Transition to primary complete; database writes are now permitted",
          "term",
          leadership.term());
    }
    refresh();
  }

  /**
   * Puts the new term into the oplog, so that every member's last position is of its term; false if
   * the log does not take it yet.
   */
  private boolean announce() {
    byte[] note = configs.current() == null ? NoopEntries.initiation() : NoopEntries.newPrimary();
    try {
      raft.log().submit(new MutationBuilder().oplogEntry(note).build());
      return true;
    } catch (StorageException | LeadershipException | CommandException e) {
      log.debug(LEADER_LOG_ID, "The new term is not announced yet", "error", e.getMessage());
      return false;
    }
  }

  /**
   * Looks at everything anew, and tells if hello has something new to tell. When it returns, that
   * has been told, also where another thread has found it first.
   */
  synchronized void refresh() {
    ReplicaSetConfig config = configs.current();
    MemberState state = compute(config);
    Current before = current;
    Current now =
        new Current(
            state,
            primary(config, state),
            config == null ? -1 : config.version(),
            config == null ? -1 : config.term());
    freezeIfUnfit(state);
    if (now.equals(before)) {
      return;
    }
    current = now;
    setup.topologyChanged().run();
    if (state != before.state) {
      log.info(
          STATE_LOG_ID,
          "Replica set state transition",
          "newState",
          state.name(),
          "oldState",
          before.state.name());
    }
    if (now.primary != null && !now.primary.equals(before.primary)) {
      log.info(
          LEADER_LOG_ID,
          "The set has a primary",
          "primary",
          now.primary,
          "term",
          raft.leadership().term());
    }
    changes.made();
    progress.made();
  }

  /** A member that is out of the set, or in maintenance, does not stand for election. */
  private void freezeIfUnfit(MemberState state) {
    if (state == MemberState.PRIMARY) {
      // It was elected while maintenance began, and would not come back from it by itself.
      maintenance = 0;
    }
    boolean unfit = state == MemberState.REMOVED || maintenance > 0;
    if (unfit != frozen && raft.group().isPresent()) {
      raft.freeze(unfit ? FOREVER : Duration.ZERO);
      frozen = unfit;
    }
  }

  private MemberState compute(ReplicaSetConfig config) {
    if (removedBy() != null) {
      return MemberState.REMOVED;
    }
    if (raft.group().isEmpty()) {
      return MemberState.STARTUP;
    }
    if (config == null) {
      return MemberState.STARTUP2;
    }
    Optional<MemberConfig> self = self();
    if (self.isEmpty()) {
      return MemberState.REMOVED;
    }
    if (isLeader()) {
      return MemberState.PRIMARY;
    }
    // A member that does not follow, or has not yet what it had, would show an older state.
    boolean behind = maintenance > 0 || raft.fault().isPresent() || !raft.isRecovered();
    if (behind && !self.get().arbiter()) {
      return MemberState.RECOVERING;
    }
    if (!counts(self.get())) {
      return MemberState.STARTUP2;
    }
    return self.get().arbiter() ? MemberState.ARBITER : MemberState.SECONDARY;
  }

  /**
   * Whether the log counts this member as the configuration does. A member that looks as if it
   * could replace another one has to be able to.
   */
  private boolean counts(MemberConfig self) {
    String id = raft.id().orElseThrow();
    return raft.agreedPeers().peers().stream()
        .filter(peer -> peer.id().equals(id))
        .anyMatch(peer -> peer.role() == Peer.Role.VOTER || !self.isVoter());
  }

  private String primary(ReplicaSetConfig config, MemberState state) {
    if (config == null || state == MemberState.REMOVED) {
      return null;
    }
    String leader = raft.leadership().leaderId();
    boolean isSelf = Objects.equals(leader, raft.id().orElse(null));
    if (leader == null || (isSelf && !isLeader())) {
      return null;
    }
    return config.member(PeerIds.memberId(leader)).map(MemberConfig::host).orElse(null);
  }

  CommandException notPrimary() {
    return new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
  }
}
