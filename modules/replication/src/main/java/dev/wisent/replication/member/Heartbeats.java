package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Asks all other members again and again how they are. */
final class Heartbeats {
  private static final int DOWN_LOG_ID = 23_974;
  private static final int UP_LOG_ID = 21_216;

  private final MemberSetup setup;
  private final ExecutorService threads;
  private final NodeClient nodes;
  private final OtherMembers others;
  private final Function<ReplicaSetConfig, Heartbeat.Request> question;
  private final BiConsumer<MemberConfig, Heartbeat.Response> news;
  private final Set<Integer> underWay = ConcurrentHashMap.newKeySet();
  private final Log log;

  /**
   * @param question what to ask under a configuration
   * @param news told of answers that tell something new
   */
  Heartbeats(
      MemberSetup setup,
      ExecutorService threads,
      NodeClient nodes,
      OtherMembers others,
      Function<ReplicaSetConfig, Heartbeat.Request> question,
      BiConsumer<MemberConfig, Heartbeat.Response> news) {
    this.setup = setup;
    this.threads = threads;
    this.nodes = nodes;
    this.others = others;
    this.question = question;
    this.news = news;
    this.log = setup.log();
  }

  /** Asks all members that are not being asked already. */
  void beat(ReplicaSetConfig config, int selfId) {
    for (MemberConfig member : config.members()) {
      if (member.id() != selfId && underWay.add(member.id())) {
        threads.execute(() -> ask(member, config));
      }
    }
  }

  private void ask(MemberConfig member, ReplicaSetConfig config) {
    long askedMillis = setup.clock().wallMillis();
    long start = setup.clock().monotonicNanos();
    try {
      Heartbeat.Request request = question.apply(config);
      Duration timeout = Duration.ofSeconds(config.settings().heartbeatTimeoutSeconds());
      Heartbeat.Response response =
          Heartbeat.Response.read(
              nodes.run(
                  HostAndPort.parse(member.host()), NodeRequest.admin(request::append, timeout)));
      long pingMillis = TimeUnit.NANOSECONDS.toMillis(setup.clock().monotonicNanos() - start);
      boolean wasUp = others.view(member.id()).isUp();
      SecretAgreement.heard(setup.raft(), response);
      boolean changed = others.answered(member.id(), response, askedMillis, pingMillis);
      if (!wasUp) {
        PeerIds.find(setup.raft().peers(), member.id())
            .ifPresent(peer -> setup.raft().isBack(peer.id()));
        log.info(
            UP_LOG_ID, "Member is now in state " + response.state(), "hostAndPort", member.host());
      }
      if (changed || response.config() != null) {
        news.accept(member, response);
      }
    } catch (CommandException e) {
      if (others.failed(member.id(), askedMillis, e.getMessage())) {
        log.info(DOWN_LOG_ID, "Heartbeat failed", "target", member.host(), "error", e.getMessage());
      }
    } finally {
      underWay.remove(member.id());
    }
  }
}
