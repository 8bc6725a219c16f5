package dev.wisent.replication.member;

import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.RaftNode;
import java.util.Optional;

/** What this member says of itself, when it asks and when it is asked. */
final class HeartbeatAnswers {
  private final MemberSetup setup;
  private final RaftNode raft;
  private final ConfigStore configs;
  private final Role role;
  private final OtherMembers others;
  private final AppliedOpTime applied;
  private volatile ReplicaSetConfig newest;

  HeartbeatAnswers(
      MemberSetup setup,
      ConfigStore configs,
      Role role,
      OtherMembers others,
      AppliedOpTime applied) {
    this.setup = setup;
    this.raft = setup.raft();
    this.configs = configs;
    this.role = role;
    this.others = others;
    this.applied = applied;
  }

  /** The question to other members. */
  Heartbeat.Request question(ReplicaSetConfig config, boolean withConfig) {
    Optional<MemberConfig> self = role.self();
    return new Heartbeat.Request(
        setup.setName(),
        config.version(),
        config.term(),
        self.map(MemberConfig::host).orElse(""),
        self.map(MemberConfig::id).orElse(-1),
        raft.leadership().term(),
        config.logGroup(),
        false,
        withConfig ? ConfigWriter.stored(config) : null);
  }

  Heartbeat.Response answer(Heartbeat.Request request) {
    MemberNames.check(setup.setName(), request.setName());
    MemberNames.check(raft.group(), request.group());
    ReplicaSetConfig config = configs.current();
    if (config != null && config.member(request.fromId()).isPresent()) {
      others.asked(request.fromId());
    }
    Role.PrimaryTerm primaryTerm = role.primaryTerm();
    String primary = role.primary();
    Optional<MemberConfig> self = role.self();
    // Asked first: data that is found to be none of the set is replaced before that is over.
    boolean counts = raft.group().isPresent() && !raft.isCatchingUp();
    return new Heartbeat.Response(
        setup.setName(),
        role.state(),
        config == null ? 0 : config.version(),
        config == null ? -1 : config.term(),
        raft.leadership().term(),
        config == null || primary == null
            ? -1
            : config.memberAt(primary).map(MemberConfig::id).orElse(-1),
        counts ? applied.published() : OpTime.NONE,
        counts ? applied.wallMillis() : 0,
        primaryTerm == null ? 0 : primaryTerm.electionTimestamp(),
        self.isPresent() && self.get().isElectable() && !raft.isFrozen(),
        primaryTerm != null || primary == null ? "" : primary,
        request.checkEmpty() && setup.hasData().getAsBoolean(),
        raft.group().orElse(null),
        raft.id().orElse(null),
        ConfigCoordinator.raftPort(raft),
        SecretAgreement.state(raft.secret()),
        raft.process().orElse(null),
        isOlder(request, config) ? ConfigWriter.stored(config) : null);
  }

  /** Whether a member of this set may not know its configuration: it may be out of it. */
  private static boolean isOlder(Heartbeat.Request request, ReplicaSetConfig config) {
    return config != null
        && config.logGroup().equals(request.group())
        && (config.version() > request.configVersion()
            || config.member(request.fromId()).isEmpty());
  }

  /** The newest configuration that this member knows or has heard of; null before the first. */
  ReplicaSetConfig newest() {
    ReplicaSetConfig known = configs.current();
    ReplicaSetConfig heard = newest;
    return heard != null && (known == null || heard.isNewerThan(known)) ? heard : known;
  }

  /** How long this member holds back what it applies, by the newest configuration. */
  long delaySeconds() {
    ReplicaSetConfig config = newest();
    return config == null
        ? 0
        : raft.id()
            .map(PeerIds::memberId)
            .flatMap(config::member)
            .map(MemberConfig::delaySeconds)
            .orElse(0L);
  }

  /**
   * Hears of a configuration otherwise than by the log. One in which this node is missing is news
   * that the log will never bring.
   */
  void learn(ReplicaSetConfig heard) {
    ReplicaSetConfig known = configs.current();
    if (known == null || !heard.logGroup().equals(known.logGroup()) || !heard.isNewerThan(known)) {
      return;
    }
    newest = heard;
    int selfId = raft.id().map(PeerIds::memberId).orElse(-1);
    boolean missing = heard.member(selfId).isEmpty();
    if (missing != (role.removedBy() != null)) {
      role.removedBy(missing ? heard : null);
    }
  }
}
