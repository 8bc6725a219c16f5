package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** Asks the members of a proposed configuration whether they are there and would take part. */
final class QuorumCheck {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ExecutorService threads;
  private final NodeClient nodes;
  private final RaftNode raft;

  QuorumCheck(ExecutorService threads, NodeClient nodes, RaftNode raft) {
    this.threads = threads;
    this.nodes = nodes;
    this.raft = raft;
  }

  /** All others have to be there, and to be empty. */
  void forInitiation(ReplicaSetConfig config, int selfId, Heartbeat.Request question) {
    Map<MemberConfig, String> failures = ask(config, selfId, question, true);
    if (!failures.isEmpty()) {
      throw new CommandException(
          ErrorCode.NODE_NOT_FOUND,
          "replSetInitiate quorum check failed because not all proposed set members responded"
              + " affirmatively: "
              + text(failures));
    }
  }

  /** A majority of those who vote has to be there, and one of them electable. */
  void forReconfiguration(ReplicaSetConfig config, int selfId, Heartbeat.Request question) {
    Map<MemberConfig, String> failures = ask(config, selfId, question, false);
    long voters =
        config.members().stream()
            .filter(member -> member.isVoter() && !failures.containsKey(member))
            .count();
    if (voters < config.majorityVoteCount()) {
      throw new CommandException(
          ErrorCode.NODE_NOT_FOUND,
          "Quorum check failed because not enough voting nodes responded; required "
              + config.majorityVoteCount()
              + " but only the following "
              + voters
              + " voting nodes responded; the following nodes did not respond affirmatively: "
              + text(failures));
    }
  }

  private static String text(Map<MemberConfig, String> failures) {
    return failures.entrySet().stream()
        .map(entry -> entry.getKey().host() + " failed with " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  private Map<MemberConfig, String> ask(
      ReplicaSetConfig config, int selfId, Heartbeat.Request question, boolean initiation) {
    var answers = new LinkedHashMap<MemberConfig, Future<String>>();
    for (MemberConfig member : config.members()) {
      if (member.id() != selfId) {
        answers.put(member, threads.submit(() -> complaint(member, config, question, initiation)));
      }
    }
    var failures = new LinkedHashMap<MemberConfig, String>();
    answers.forEach(
        (member, answer) -> {
          String complaint = result(answer);
          if (complaint != null) {
            failures.put(member, complaint);
          }
        });
    return failures;
  }

  private static String result(Future<String> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandException refused) {
        throw refused;
      }
      return String.valueOf(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ErrorCode.INTERRUPTED, "operation was interrupted");
    }
  }

  /**
   * Why a member cannot take part; null if it can.
   *
   * @throws CommandException if a configuration with it cannot be at all
   */
  private String complaint(
      MemberConfig member,
      ReplicaSetConfig config,
      Heartbeat.Request question,
      boolean initiation) {
    Heartbeat.Response answer;
    try {
      answer =
          Heartbeat.Response.read(
              nodes.run(
                  HostAndPort.parse(member.host()), NodeRequest.admin(question::append, TIMEOUT)));
    } catch (CommandException e) {
      return e.getMessage();
    }
    LogProcess.check(raft.process().orElse(null), answer.logProcess());
    List<String> complaints = new ArrayList<>();
    if (initiation && (answer.configVersion() > 0 || answer.group() != null)) {
      complaints.add(
          "it belongs to a replica set already, with configuration version "
              + answer.configVersion());
    }
    if (initiation && answer.hasData()) {
      complaints.add("'" + member.host() + "' has data already, cannot initiate set.");
    }
    if (!initiation && answer.group() != null && !answer.group().equals(config.logGroup())) {
      complaints.add("it belongs to another replica set of the same name");
    }
    return complaints.isEmpty() ? null : String.join(", ", complaints);
  }
}
