package dev.wisent.replication.member;

import static java.util.concurrent.CompletableFuture.runAsync;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.JoinRequest;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.replication.secret.LogSecret;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;

/**
 * Gives a set that an older version has made a secret: the primary makes one when all members know
 * what that is, hands it to each, and has all of them close the port of the log with it when all
 * have it. Members that are away then hear of it later. Run by one thread at a time.
 */
final class SecretAgreement {
  private static final int IN_FORCE_LOG_ID = 9_000_309;
  private static final int FAILED_LOG_ID = 9_000_310;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String IN_FORCE = ":inForce";

  private final RaftNode raft;
  private final ExecutorService threads;
  private final NodeClient nodes;
  private final OtherMembers others;
  private final Log log;

  SecretAgreement(
      RaftNode raft, ExecutorService threads, NodeClient nodes, OtherMembers others, Log log) {
    this.raft = raft;
    this.threads = threads;
    this.nodes = nodes;
    this.others = others;
    this.log = log;
  }

  /** What heartbeats tell of the secret that a member has. */
  static String state(Optional<LogSecret> secret) {
    return secret.map(SecretAgreement::state).orElse("");
  }

  private static String state(LogSecret secret) {
    return secret.isInForce() ? secret.id() + IN_FORCE : secret.id();
  }

  /** On any member: another one has closed its port with the secret that this one keeps. */
  static void heard(RaftNode raft, Heartbeat.Response response) {
    Optional<LogSecret> own = raft.secret();
    if (own.isPresent()
        && !own.get().isInForce()
        && state(own.get().inForce()).equals(response.logSecret())) {
      raft.keep(own.get().inForce());
    }
  }

  /** On the primary: does what is next; returns whether nothing is left to do. */
  boolean agree(ReplicaSetConfig config) {
    Optional<LogSecret> own = raft.secret();
    List<MemberConfig> members = config.members().stream().filter(this::isOther).toList();
    if (own.isPresent() && own.get().isInForce()) {
      return tell(config, without(own.get(), members), own.get());
    }
    if (!members.stream().allMatch(member -> told(member) != null)) {
      return false;
    }
    if (own.isEmpty()) {
      raft.keep(LogSecret.create(false));
      return false;
    }
    List<MemberConfig> missing = without(own.get(), members);
    if (missing.isEmpty()) {
      LogSecret inForce = own.get().inForce();
      tell(config, members, inForce);
      raft.keep(inForce);
      log.info(IN_FORCE_LOG_ID, "Closed the port of the replicated log to all but members");
    } else {
      tell(config, missing, own.get());
    }
    return false;
  }

  private boolean isOther(MemberConfig member) {
    return raft.id().map(PeerIds::memberId).filter(id -> id == member.id()).isEmpty();
  }

  /** What a member that answers has told; null if it is of a version without secrets, or away. */
  private String told(MemberConfig member) {
    MemberView view = others.view(member.id());
    return view.isUp() && view.answer() != null ? view.answer().logSecret() : null;
  }

  /** Those that could have a secret, and have not. */
  private List<MemberConfig> without(LogSecret secret, List<MemberConfig> members) {
    return members.stream()
        .filter(member -> told(member) != null && !told(member).equals(state(secret)))
        .toList();
  }

  /** Returns whether there was none to tell. */
  private boolean tell(ReplicaSetConfig config, List<MemberConfig> members, LogSecret secret) {
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (MemberConfig member : members) {
      var request = new JoinRequest(config, member.id(), secret, raft.process().orElse(null));
      calls.add(runAsync(() -> tell(member, request), threads));
    }
    calls.forEach(CompletableFuture::join);
    return members.isEmpty();
  }

  private void tell(MemberConfig member, JoinRequest request) {
    try {
      nodes.run(HostAndPort.parse(member.host()), NodeRequest.admin(request::append, TIMEOUT));
    } catch (CommandException e) {
      log.warn(
          FAILED_LOG_ID,
          "Could not give a member the secret of the set",
          "hostAndPort",
          member.host(),
          "error",
          e.getMessage());
    }
  }
}
