package dev.wisent.replication.member;

import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Peer;
import dev.wisent.replication.raft.RaftNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Makes Raft's peers what the configuration says, on the primary. It looks at both and does what is
 * missing, however far somebody else came before: so it can be called at any time, and again after
 * whatever failed. Used by one thread at a time.
 */
final class Reconciler {
  private static final int JOIN_TIMEOUT_MILLIS = 30_000;
  private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(10);
  private static final int CHANGED_LOG_ID = 9_000_301;
  private static final int FAILED_LOG_ID = 9_000_302;
  private static final int JOIN_FAILED_LOG_ID = 9_000_303;

  private final RaftNode raft;
  private final ExecutorService threads;
  private final MemberCalls calls;
  private final OtherMembers others;
  private final Log log;

  Reconciler(
      RaftNode raft, ExecutorService threads, MemberCalls calls, OtherMembers others, Log log) {
    this.raft = raft;
    this.threads = threads;
    this.calls = calls;
    this.others = others;
    this.log = log;
  }

  /** Returns whether the peers are as configured now. */
  boolean reconcile(ReplicaSetConfig config) {
    List<Peer> present = raft.peers();
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
    try {
      raft.setPeers(wanted, CHANGE_TIMEOUT);
      log.info(CHANGED_LOG_ID, "Peers changed", "peers", wanted.toString());
      return complete;
    } catch (CommandException e) {
      log.warn(FAILED_LOG_ID, "Could not change the peers", "error", e.getMessage());
      return false;
    }
  }

  private Optional<Peer> wanted(ReplicaSetConfig config, MemberConfig member, List<Peer> present) {
    Optional<Peer> known =
        PeerIds.find(present, member.id()).map(peer -> PeerPlan.under(config, member, peer));
    boolean self = raft.id().map(PeerIds::memberId).filter(id -> id == member.id()).isPresent();
    MemberView view = others.view(member.id());
    if (self || !view.isUp() || view.answer() == null) {
      return known;
    }
    Heartbeat.Response answer = view.answer();
    boolean belongs =
        Objects.equals(answer.group(), config.logGroup())
            && answer.peerId() != null
            && PeerIds.memberId(answer.peerId()) == member.id();
    boolean same = known.isPresent() && known.get().id().equals(answer.peerId());
    if (belongs && (same || (known.isEmpty() && !wasRemoved(answer)))) {
      return Optional.of(PeerPlan.peer(config, member, answer.peerId(), answer.raftPort()));
    }
    return join(config, member);
  }

  /** A member that was out of the set meanwhile begins anew. */
  private static boolean wasRemoved(Heartbeat.Response answer) {
    return answer.state() == MemberState.REMOVED;
  }

  /** A node that has no part in the log yet, or has lost it with its disk. */
  private Optional<Peer> join(ReplicaSetConfig config, MemberConfig member) {
    try {
      var request = new JoinRequest(config, member.id());
      JoinRequest.Response response =
          JoinRequest.Response.read(
              calls.call(member.host(), JOIN_TIMEOUT_MILLIS, request::append));
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
