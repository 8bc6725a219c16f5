package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.HostDescription;
import dev.wisent.wire.client.HostSelector;
import dev.wisent.wire.client.HostSelector.Mode;
import dev.wisent.wire.client.NodeClient;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import dev.wisent.wire.client.ReplicaSetMonitor;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link ReplicaSetMonitor} and {@link NodeClient} with members that are processes. */
@ExtendWith(SharedReplicaSet.Extension.class)
class MonitoredSetTest {
  private final NodeClient client =
      new PooledNodeClient(
          NodeClientOptions.plain("test").withCompressors(List.of(Compressor.SNAPPY)),
          Clock.system(),
          BackgroundLoops.silent());
  private ReplicaSetMonitor monitor;

  @BeforeEach
  void follow(ReplicaSetProcesses set) {
    set.awaitPrimary();
    monitor =
        new ReplicaSetMonitor(
            client,
            ReplicaSetProcesses.NAME,
            Set.of(host(set.members().getFirst())),
            Clock.system(),
            BackgroundLoops.silent());
  }

  @AfterEach
  void close() {
    monitor.close();
    client.close();
  }

  private static HostAndPort host(Member member) {
    return HostAndPort.parse(member.address());
  }

  private HostAndPort awaitPrimary() {
    return monitor.select(HostSelector.primary(), ReplicaSetProcesses.PATIENCE).join();
  }

  private void awaitMembers(int count) {
    Eventually.holds(
        count + " members serve reads",
        ReplicaSetProcesses.PATIENCE,
        () -> monitor.description().hosts().stream().filter(this::servesReads).count() == count);
  }

  private boolean servesReads(HostDescription host) {
    return switch (host.kind()) {
      case PRIMARY, SECONDARY -> true;
      case UNKNOWN, ARBITER, OTHER, GHOST, STANDALONE -> false;
    };
  }

  private RawDocument call(HostAndPort host, String command) {
    return client
        .call(
            host,
            NodeRequest.of("monitored", RawDocument.parse(command), ReplicaSetProcesses.PATIENCE))
        .join();
  }

  @Test
  void callsGoToTheMembersThatTheMonitorFinds(ReplicaSetProcesses set) {
    awaitMembers(set.members().size());
    HostAndPort primary = awaitPrimary();
    assertThat(
            CommandReplies.isOk(
                call(
                    primary,
                    "{insert: 'c', documents: [{a: 1}], writeConcern: {w: "
                        + set.members().size()
                        + "}}")))
        .isTrue();
    HostAndPort secondary =
        monitor.select(HostSelector.of(Mode.SECONDARY), ReplicaSetProcesses.PATIENCE).join();
    assertThat(secondary).isNotEqualTo(primary);
    RawDocument count =
        call(secondary, "{count: 'c', $readPreference: {mode: 'secondaryPreferred'}}");
    assertThat(count.get("n").toLong()).as(count.toJson()).isPositive();
  }

  @Test
  void theMonitorShowsTheNewPrimaryAfterAStepDown(ReplicaSetProcesses set) {
    awaitMembers(set.members().size());
    HostAndPort before = awaitPrimary();
    Member primary = member(set, before);
    primary.admin(new Document("replSetStepDown", 20).append("secondaryCatchUpPeriodSecs", 10));
    Eventually.holds(
        "another member is primary",
        ReplicaSetProcesses.PATIENCE,
        () -> monitor.primary().filter(host -> !host.equals(before)).isPresent());
    assertThat(host(set.awaitPrimary())).isEqualTo(awaitPrimary());
  }

  @Test
  void theMonitorFollowsAMemberThatIsKilledAndStartedAgain(ReplicaSetProcesses set) {
    awaitMembers(set.members().size());
    HostAndPort before = awaitPrimary();
    Member killed = member(set, before);
    killed.kill();
    Eventually.holds(
        "another member is primary",
        ReplicaSetProcesses.PATIENCE,
        () -> monitor.primary().filter(host -> !host.equals(before)).isPresent());
    killed.start();
    awaitMembers(set.members().size());
    set.awaitAllReadable();
  }

  private static Member member(ReplicaSetProcesses set, HostAndPort host) {
    return set.members().stream()
        .filter(member -> host(member).equals(host))
        .findFirst()
        .orElseThrow();
  }
}
