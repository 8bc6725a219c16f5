package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import java.util.Optional;

/** Becoming a member because the primary says so; asked again, it answers the same. */
final class MemberJoin {
  private static final int JOINED_LOG_ID = 9_000_304;
  private static final int MOVED_LOG_ID = 9_000_307;

  private final MemberSetup setup;
  private final RaftNode raft;
  private final ConfigStore configs;
  private final Role role;

  /** With which this node was taken up; null if it was not since its start. */
  private volatile ReplicaSetConfig joinedWith;

  MemberJoin(MemberSetup setup, ConfigStore configs, Role role) {
    this.setup = setup;
    this.raft = setup.raft();
    this.configs = configs;
    this.role = role;
  }

  /** The configuration that a new member has before it has the data; null if it is not known. */
  ReplicaSetConfig joinedWith() {
    return joinedWith;
  }

  synchronized JoinRequest.Response join(JoinRequest request) {
    ReplicaSetConfig config = request.config();
    MemberNames.check(setup.setName(), config.name());
    LogProcess.check(raft.process().orElse(null), request.logProcess());
    MemberConfig member =
        config
            .member(request.memberId())
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.NODE_NOT_FOUND,
                        "no member with _id " + request.memberId() + " in the configuration"));
    boolean hasGroup = raft.group().isPresent();
    Optional<String> known = knownAs(config, member);
    joinedWith = config;
    String peerId = known.orElseGet(() -> joinAnew(request, member, !hasGroup));
    if (request.secret() != null) {
      raft.keep(request.secret());
    }
    return new JoinRequest.Response(peerId, ConfigCoordinator.raftPort(raft));
  }

  /** The id that this node has in the group already, if it can go on there. */
  private Optional<String> knownAs(ReplicaSetConfig config, MemberConfig member) {
    if (raft.group().isEmpty()) {
      return Optional.empty();
    }
    if (!raft.group().get().equals(config.logGroup())) {
      throw new CommandException(
          ErrorCode.ALREADY_INITIALIZED,
          "this node has data of another replica set named "
              + setup.setName()
              + "; it can join with an empty data directory");
    }
    boolean goesOn =
        role.removedBy() == null
            && PeerIds.memberId(raft.id().orElseThrow()) == member.id()
            && role.state() != MemberState.REMOVED;
    if (goesOn) {
      renameIfMoved(config, member);
      return raft.id();
    }
    // It was out of the set and may have missed anything: it gets everything anew.
    raft.leave();
    return Optional.empty();
  }

  /** Raft remembers where an id is, so a member that is elsewhere now needs another one. */
  private void renameIfMoved(ReplicaSetConfig config, MemberConfig member) {
    Peer moved =
        PeerPlan.peer(
            config,
            member,
            PeerIds.create(member, setup.random()),
            ConfigCoordinator.raftPort(raft));
    String before = raft.self().orElseThrow().address();
    if (!moved.address().equals(before)) {
      raft.rename(moved);
      setup
          .log()
          .info(MOVED_LOG_ID, "This member has moved", "from", before, "to", moved.address());
    }
  }

  /** Whether the data here is an older state of the same set: it may be kept, or replaced. */
  private boolean isOf(ReplicaSetConfig config) {
    ReplicaSetConfig stored = configs.stored();
    return stored != null && stored.logGroup().equals(config.logGroup());
  }

  /**
   * Joins under a new id.
   *
   * @param backup whether data that is here may be a backup; after another membership it is not
   */
  private String joinAnew(JoinRequest request, MemberConfig member, boolean backup) {
    ReplicaSetConfig config = request.config();
    if (setup.hasData().getAsBoolean() && !isOf(config)) {
      throw new CommandException(
          ErrorCode.CANNOT_INITIALIZE_NODE_WITH_DATA,
          "this node has data; it can join a replica set with an empty data directory");
    }
    String peerId = PeerIds.create(member, setup.random());
    raft.electionTimeout(config.settings().electionTimeout());
    Peer self = PeerPlan.peer(config, member, peerId, ConfigCoordinator.raftPort(raft));
    boolean seeded = backup && isOf(config) && MemberData.isComplete(setup.storage());
    if (seeded && !member.arbiter()) {
      // What the set has forgotten, or never had, is found out by Raft's leader.
      raft.joinWithData(config.logGroup(), self, request.secret());
    } else {
      raft.join(config.logGroup(), self, request.secret());
    }
    role.removedBy(null);
    setup
        .log()
        .info(
            JOINED_LOG_ID,
            "Joined a replica set",
            "set",
            config.name(),
            "memberId",
            member.id(),
            "logGroup",
            config.logGroup().toString());
    return peerId;
  }
}
