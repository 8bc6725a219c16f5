package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Who leads next, when an administrator asks for a change. */
final class LeadershipTransfer {
  private static final Duration TRANSFER_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration TRY_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);
  private static final int LOOK_MILLIS = 100;

  private final MemberSetup setup;
  private final RaftNode raft;
  private final Role role;
  private final OtherMembers others;
  private final ConfigStore configs;
  private final AppliedOpTime applied;
  private final Progress progress;
  private final NodeClient nodes;

  LeadershipTransfer(
      MemberSetup setup,
      Role role,
      OtherMembers others,
      ConfigStore configs,
      AppliedOpTime applied,
      Progress progress) {
    this.setup = setup;
    this.raft = setup.raft();
    this.role = role;
    this.others = others;
    this.configs = configs;
    this.applied = applied;
    this.progress = progress;
    this.nodes = setup.nodes();
  }

  void stepDown(Duration standBack, Duration catchUp, boolean force, OperationContext operation) {
    if (role.primaryTerm() == null) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary so can't step down");
    }
    Optional<MemberConfig> successor = awaitSuccessor(applied.opTime(), catchUp, operation);
    if (successor.isEmpty() && !force) {
      throw new CommandException(
          ErrorCode.EXCEEDED_TIME_LIMIT,
          "No electable secondaries caught up as of "
              + Instant.ofEpochMilli(setup.clock().wallMillis())
              + ". Please use the replSetStepDown command with the argument {force: true} to force"
              + " node to step down.");
    }
    // A leader that cannot hand on steps down all the same: the others elect one then.
    if (successor.isPresent() && tryHandOver(successor.get())) {
      raft.freeze(standBack);
    } else {
      stepDown(standBack);
    }
    awaitPrimary(operation, false);
  }

  /** A transfer that was given up may succeed late: the node has stepped down then too. */
  private void stepDown(Duration standBack) {
    try {
      raft.stepDown(standBack);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.NOT_WRITABLE_PRIMARY) {
        throw e;
      }
    }
  }

  /** Hands leadership on if that can be done at once: an election would take longer. */
  void resign() {
    if (role.primaryTerm() != null && configs.current() != null) {
      successor(applied.opTime()).ifPresent(this::tryHandOver);
    }
  }

  /** Hands leadership to a member that asks for it. */
  void handOver(int memberId) {
    ReplicaSetConfig config = configs.current();
    MemberConfig member = config == null ? null : config.member(memberId).orElse(null);
    if (role.primaryTerm() == null || member == null || !member.isElectable()) {
      throw new CommandException(ErrorCode.COMMAND_FAILED, "Election failed.");
    }
    handOver(member, TRANSFER_TIMEOUT);
  }

  /** Gives up soon: nothing can be written meanwhile. */
  private boolean tryHandOver(MemberConfig member) {
    try {
      handOver(member, TRY_TIMEOUT);
      return true;
    } catch (CommandException e) {
      return false;
    }
  }

  private void handOver(MemberConfig member, Duration timeout) {
    Peer peer =
        PeerIds.find(raft.peers(), member.id())
            .orElseThrow(() -> new CommandException(ErrorCode.COMMAND_FAILED, "Election failed."));
    raft.transferTo(peer.id(), timeout);
  }

  /** Asks the primary for leadership. */
  void stepUp(OperationContext operation) {
    if (role.primaryTerm() != null) {
      return;
    }
    String primary = role.primary();
    Optional<MemberConfig> self = role.self();
    boolean electable = self.isPresent() && self.get().isElectable() && !raft.isFrozen();
    if (primary == null || !electable || role.state() != MemberState.SECONDARY) {
      throw new CommandException(ErrorCode.COMMAND_FAILED, "Election failed.");
    }
    nodes.run(
        HostAndPort.parse(primary),
        NodeRequest.admin(
            out -> {
              out.appendInt32("replSetStepUp", 1);
              out.appendInt32("handOverTo", self.get().id());
            },
            CALL_TIMEOUT));
    awaitPrimary(operation, true);
    if (role.primaryTerm() == null) {
      throw new CommandException(ErrorCode.COMMAND_FAILED, "Election failed.");
    }
  }

  private void awaitPrimary(OperationContext operation, boolean wanted) {
    long deadline = setup.clock().monotonicNanos() + TRANSFER_TIMEOUT.toNanos();
    try {
      while (true) {
        long seen = progress.count();
        if ((role.primaryTerm() != null) == wanted || setup.clock().monotonicNanos() > deadline) {
          return;
        }
        operation.checkNow();
        progress.await(seen, LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  private Optional<MemberConfig> awaitSuccessor(
      OpTime position, Duration catchUp, OperationContext operation) {
    long deadline = setup.clock().monotonicNanos() + catchUp.toNanos();
    try {
      while (true) {
        long seen = progress.count();
        Optional<MemberConfig> successor = successor(position);
        if (successor.isPresent() || setup.clock().monotonicNanos() >= deadline) {
          return successor;
        }
        operation.checkNow();
        progress.await(seen, LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    }
  }

  /** The one with the highest priority that could lead at once. */
  private Optional<MemberConfig> successor(OpTime position) {
    ReplicaSetConfig config = configs.current();
    int selfId = PeerIds.memberId(raft.id().orElseThrow());
    return config.members().stream()
        .filter(member -> member.id() != selfId && member.isElectable())
        .filter(member -> isReady(others.view(member.id()), position))
        .max(Comparator.comparingDouble(MemberConfig::priority));
  }

  private static boolean isReady(MemberView view, OpTime position) {
    return view.isUp()
        && view.state() == MemberState.SECONDARY
        && view.answer().electable()
        && view.applied().compareTo(position) >= 0;
  }
}
