package dev.wisent.replication.member;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Makes Raft's peers what the configuration says, on the primary. It looks at both and does what is
 * missing, however far another run came before: so it can be called at any time, and again after
 * whatever failed. Used by one thread at a time.
 */
final class Reconciler {
  private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(10);
  private static final int CHANGED_LOG_ID = 9_000_301;
  private static final int FAILED_LOG_ID = 9_000_302;
  private static final int JOIN_FAILED_LOG_ID = 9_000_303;
  private static final int WAITING_LOG_ID = 9_000_306;
  private static final int MOVING_LOG_ID = 9_000_308;
  private static final Duration HAND_ON_TIMEOUT = Duration.ofSeconds(5);

  private final RaftNode raft;
  private final ExecutorService threads;
  private final NodeClient nodes;
  private final OtherMembers others;
  private final Log log;

  Reconciler(
      RaftNode raft, ExecutorService threads, NodeClient nodes, OtherMembers others, Log log) {
    this.raft = raft;
    this.threads = threads;
    this.nodes = nodes;
    this.others = others;
    this.log = log;
  }

  /** Returns whether the peers are as configured now. */
  boolean reconcile(ReplicaSetConfig config) {
    List<Peer> present = raft.peers();
    if (hasMoved(config, present)) {
      return false;
    }
    // At the same time, for a node may take long to begin.
    List<CompletableFuture<Optional<Peer>>> answers =
        config.members().stream()
            .map(member -> supplyAsync(() -> wanted(config, member, present), threads))
            .toList();
    var wanted = new ArrayList<Peer>();
    answers.forEach(answer -> answer.join().ifPresent(wanted::add));
    boolean complete = wanted.size() == config.members().size();
    if (new HashSet<>(wanted).equals(new HashSet<>(present))) {
      return complete;
    }
    if (!hasMajorityInTouch(wanted, present)) {
      return false;
    }
    try {
      raft.setPeers(wanted, CHANGE_TIMEOUT);
      log.info(CHANGED_LOG_ID, "Peers changed", "peers", wanted.toString());
      return complete;
    } catch (CommandException e) {
      log.warn(FAILED_LOG_ID, "Could not change the peers", "error", e.getMessage());
      return false;
    }
  }

  /**
   * Whether this node would still lead. Raft gives up leadership at once if most of those who vote
   * from now on have not been heard of lately, be it because they are just being started. Who is
   * new counts: it begins to vote when it has caught up.
   */
  private boolean hasMajorityInTouch(List<Peer> wanted, List<Peer> present) {
    Set<String> away = new HashSet<>();
    present.forEach(peer -> away.add(peer.id()));
    away.removeAll(raft.inTouch());
    List<Peer> voters = wanted.stream().filter(peer -> peer.role() == Peer.Role.VOTER).toList();
    long there = voters.stream().filter(peer -> !away.contains(peer.id())).count();
    if (2 * there <= voters.size()) {
      log.info(WAITING_LOG_ID, "Waiting for members before the peers are changed", "away", away);
      return false;
    }
    return true;
  }

  private Optional<Peer> wanted(ReplicaSetConfig config, MemberConfig member, List<Peer> present) {
    Optional<Peer> known =
        PeerIds.find(present, member.id()).map(peer -> PeerPlan.under(config, member, peer));
    boolean self = isSelf(member);
    MemberView view = others.view(member.id());
    if (self || !view.isUp() || view.answer() == null) {
      return known;
    }
    Heartbeat.Response answer = view.answer();
    boolean belongs =
        Objects.equals(answer.group(), config.logGroup())
            && answer.peerId() != null
            && PeerIds.memberId(answer.peerId()) == member.id();
    if (belongs && (known.isPresent() || !wasRemoved(answer))) {
      Peer found = PeerPlan.peer(config, member, answer.peerId(), answer.raftPort());
      if (known.isEmpty() || known.get().equals(found)) {
        return Optional.of(found);
      }
    }
    // Also one that is elsewhere now, or another node: it stays what it was until it has joined.
    return join(config, member).or(() -> known);
  }

  private boolean isSelf(MemberConfig member) {
    return raft.id().map(PeerIds::memberId).filter(id -> id == member.id()).isPresent();
  }

  /**
   * Whether this node itself is elsewhere by the configuration. It cannot take another id while it
   * leads: the next leader sees to it, or it need not be done if it is alone.
   */
  private boolean hasMoved(ReplicaSetConfig config, List<Peer> present) {
    Optional<MemberConfig> self = config.members().stream().filter(this::isSelf).findFirst();
    Optional<Peer> peer = self.flatMap(member -> PeerIds.find(present, member.id()));
    if (peer.isEmpty()) {
      return false;
    }
    int port = ConfigCoordinator.raftPort(raft);
    Peer there = PeerPlan.peer(config, self.get(), peer.get().id(), port);
    if (there.address().equals(peer.get().address())) {
      return false;
    }
    if (present.size() == 1) {
      raft.forcePeers(List.of(there));
    } else {
      handOn(config, present);
    }
    return true;
  }

  private void handOn(ReplicaSetConfig config, List<Peer> present) {
    Set<String> inTouch = raft.inTouch();
    Optional<Peer> next =
        config.members().stream()
            .filter(member -> member.isElectable() && !isSelf(member))
            .flatMap(member -> PeerIds.find(present, member.id()).stream())
            .filter(peer -> inTouch.contains(peer.id()))
            .max(Comparator.comparingInt(Peer::priority));
    if (next.isPresent()) {
      log.info(MOVING_LOG_ID, "Handing on leadership, because this member has moved");
      raft.transferTo(next.get().id(), HAND_ON_TIMEOUT);
    }
  }

  /** A member that was out of the set meanwhile begins anew. */
  private static boolean wasRemoved(Heartbeat.Response answer) {
    return answer.state() == MemberState.REMOVED;
  }

  /** A node that has no part in the log yet, or has lost it with its disk. */
  private Optional<Peer> join(ReplicaSetConfig config, MemberConfig member) {
    try {
      var request =
          new JoinRequest(
              config, member.id(), raft.secret().orElse(null), raft.process().orElse(null));
      JoinRequest.Response response =
          JoinRequest.Response.read(
              nodes.run(
                  HostAndPort.parse(member.host()),
                  NodeRequest.admin(request::append, JOIN_TIMEOUT)));
      return Optional.of(PeerPlan.peer(config, member, response.peerId(), response.raftPort()));
    } catch (CommandException e) {
      log.warn(
          JOIN_FAILED_LOG_ID,
          "Member could not join",
          "hostAndPort",
          member.host(),
          "error",
          e.getMessage());
      return Optional.empty();
    }
  }
}
