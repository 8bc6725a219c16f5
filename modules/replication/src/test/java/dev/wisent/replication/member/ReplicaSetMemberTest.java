package dev.wisent.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.Peer;
import dev.wisent.storage.MutationBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplicaSetMemberTest {
  private static final String FAST = ", settings: {heartbeatIntervalMillis: 50}}";

  @TempDir Path directory;
  private final Map<UUID, FakeLog> logs = new ConcurrentHashMap<>();
  private final List<TestMember> members = new ArrayList<>();

  @AfterEach
  void close() {
    members.forEach(TestMember::close);
  }

  private TestMember start() {
    return start("rs");
  }

  private TestMember start(String setName) {
    var member = new TestMember(directory.resolve("m" + members.size()), setName, logs);
    members.add(member);
    return member;
  }

  private String config(int version, List<String> entries) {
    return "{_id: 'rs', version: "
        + version
        + ", members: ["
        + String.join(",", entries)
        + "]"
        + FAST;
  }

  private static String entry(int id, TestMember member) {
    return entry(id, member, "");
  }

  private static String entry(int id, TestMember member, String more) {
    return "{_id: " + id + ", host: '" + member.host() + "'" + more + "}";
  }

  private List<TestMember> initiated(int count) {
    var started = new ArrayList<TestMember>();
    var entries = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      started.add(start());
      entries.add(entry(i, started.get(i)));
    }
    started.getFirst().initiate(config(1, entries));
    for (TestMember member : started) {
      await(member, member == started.getFirst() ? MemberState.PRIMARY : MemberState.SECONDARY);
    }
    return started;
  }

  private static void await(TestMember member, MemberState state) {
    await(() -> member.member.state() == state, () -> state + ", is " + member.member.state());
  }

  private static void await(BooleanSupplier condition, Supplier<String> what) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not reached: " + what.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void assertRefused(ErrorCode code, String message, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(CommandException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static void write(TestMember member) {
    byte[] note = RawDocument.parse("{op: 'n', ns: '', o: {}}").toByteArray();
    member.raft.log().submit(new MutationBuilder().oplogEntry(note).build());
  }

  @Test
  void aSetIsInitiatedAndAllKnowIt() {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    assertThat(first.raft.peers()).hasSize(3).allMatch(peer -> peer.role() == Peer.Role.VOTER);
    for (TestMember member : set) {
      assertThat(member.member.config()).isEqualTo(first.member.config());
      assertThat(member.member.primary()).isEqualTo(first.host());
      assertThat(member.member.me()).isEqualTo(member.host());
      assertThat(member.topologyChanges).hasPositiveValue();
    }
    assertThat(first.reign).hasValue(first.member.term());
    first.member.checkWritable();
    assertRefused(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary", set.get(1).member::checkWritable);
  }

  @Test
  void withoutAConfigurationTheSetIsThisNode() {
    TestMember alone = start();
    assertThat(alone.member.state()).isEqualTo(MemberState.STARTUP);
    assertThat(alone.member.config()).isEmpty();
    assertRefused(ErrorCode.NOT_YET_INITIALIZED, "no replset config", () -> alone.member.status());
    alone.initiate("{}");
    await(alone, MemberState.PRIMARY);
    assertThat(alone.member.me()).isEqualTo(alone.host());
    assertRefused(ErrorCode.ALREADY_INITIALIZED, "already initialized", () -> alone.initiate("{}"));
  }

  @Test
  void initiationIsRefusedUnlessAllAreThereAndEmpty() {
    TestMember first = start();
    TestMember second = start();
    TestMember stranger = start("other");
    String gone = "{_id: 1, host: '127.0.0.1:1'}";
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "127.0.0.1:1 failed with Error connecting",
        () -> first.initiate(config(1, List.of(entry(0, first), gone))));
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "does not match name rs",
        () -> first.initiate(config(1, List.of(entry(0, first), entry(1, stranger)))));
    second.hasData = true;
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "has data already",
        () -> first.initiate(config(1, List.of(entry(0, first), entry(1, second)))));
    assertRefused(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "maps to this node",
        () -> first.initiate(config(1, List.of(entry(0, second)))));
    assertRefused(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "must have version 1",
        () -> first.initiate(config(2, List.of(entry(0, first)))));
    assertRefused(
        ErrorCode.INVALID_REPLICA_SET_CONFIG,
        "is not electable",
        () ->
            first.initiate(config(1, List.of(entry(0, first, ", priority: 0"), entry(1, second)))));
    assertThat(first.raft.group()).isEmpty();
    assertThat(first.member.state()).isEqualTo(MemberState.STARTUP);
  }

  @Test
  void prioritiesAndVotesBecomePeers() {
    TestMember first = start();
    TestMember second = start();
    TestMember third = start();
    first.initiate(
        config(
            1,
            List.of(
                entry(0, first, ", priority: 2.5"),
                entry(1, second, ", priority: 0.5"),
                entry(2, third, ", priority: 0, votes: 0, hidden: true"))));
    await(() -> first.raft.peers().size() == 3, () -> first.raft.peers().toString());
    List<Peer> peers = first.raft.peers();
    assertThat(peers.stream().map(Peer::priority)).containsExactly(2, 1, 0);
    assertThat(peers.get(2).role()).isEqualTo(Peer.Role.LISTENER);
  }

  @Test
  void membersAreAddedAndRemovedAndComeBack() {
    List<TestMember> set = initiated(2);
    TestMember first = set.getFirst();
    TestMember third = start();
    List<String> all = List.of(entry(0, first), entry(1, set.get(1)), entry(2, third));
    first.member.reconfigure(RawDocument.parse(config(2, all)), false, TestMember.operation());
    await(third, MemberState.SECONDARY);
    assertThat(first.raft.peers()).hasSize(3);

    first.member.reconfigure(
        RawDocument.parse(config(3, all.subList(0, 2))), false, TestMember.operation());
    await(third, MemberState.REMOVED);
    await(() -> first.raft.peers().size() == 2, () -> first.raft.peers().toString());
    assertThat(third.member.config()).isEmpty();
    assertThat(third.member.me()).isNull();
    assertThat(third.raft.frozen).as("it does not stand for election").isPositive();

    first.member.reconfigure(RawDocument.parse(config(4, all)), false, TestMember.operation());
    await(third, MemberState.SECONDARY);
    // Under a new id, or under its old one if it had not left yet.
    await(
        () ->
            first.raft.peers().stream()
                .anyMatch(peer -> third.raft.id().filter(peer.id()::equals).isPresent()),
        () -> first.raft.peers().toString());
    assertThat(third.raft.isFrozen()).isFalse();
  }

  @Test
  void oldNewsOfARemovalIsForgottenWhenTheLogKnowsBetter() {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    TestMember third = set.get(2);
    await(third, MemberState.SECONDARY);
    ReplicaSetConfig known = first.member.config().orElseThrow();
    var without =
        new ReplicaSetConfig(
            known.name(),
            known.version() + 1,
            known.term(),
            known.members().subList(0, 2),
            known.settings(),
            known.logGroup());
    third.member.heartbeat(
        new Heartbeat.Request(
            known.name(),
            without.version(),
            without.term(),
            first.host(),
            0,
            known.term(),
            known.logGroup(),
            false,
            ConfigWriter.stored(without)));
    assertThat(third.member.state()).isEqualTo(MemberState.REMOVED);

    List<String> all = List.of(entry(0, first), entry(1, set.get(1)), entry(2, third));
    reconfigure(first, config(known.version() + 2, all), false);
    await(third, MemberState.SECONDARY);
    assertThat(third.raft.isFrozen()).isFalse();
  }

  @Test
  void theLeadIsNotGivenUpForAMemberThatIsJustComingBack() {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    first.raft.silentMember = 1;
    List<String> fewer = List.of(entry(0, first), entry(1, set.get(1)));
    reconfigure(first, config(2, fewer), false);
    await(set.get(2), MemberState.REMOVED);
    assertThat(first.raft.peers()).as("two would be no majority of one").hasSize(3);
    first.raft.silentMember = -1;
    await(() -> first.raft.peers().size() == 2, () -> first.raft.peers().toString());
  }

  @Test
  void aChangeIsRefusedWhereItIsNotSafe() {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    List<String> all = List.of(entry(0, first), entry(1, set.get(1)), entry(2, set.get(2)));
    assertRefused(
        ErrorCode.NOT_WRITABLE_PRIMARY,
        "Safe reconfig is only allowed on a writable PRIMARY",
        () -> reconfigure(set.get(1), config(2, all), false));
    assertRefused(
        ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
        "at most 1 voting member",
        () -> reconfigure(first, config(2, all.subList(0, 1)), false));
    assertRefused(
        ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
        "maps to this node",
        () -> reconfigure(first, config(2, all.subList(1, 3)), false));
    assertRefused(
        ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
        "is not electable",
        () ->
            reconfigure(
                first,
                config(2, List.of(entry(0, first, ", priority: 0"), all.get(1), all.get(2))),
                false));
    set.get(1).close();
    set.get(2).close();
    members.removeAll(set.subList(1, 3));
    assertRefused(
        ErrorCode.NODE_NOT_FOUND,
        "not enough voting nodes responded",
        () -> reconfigure(first, config(2, all), false));
  }

  private static void reconfigure(TestMember member, String config, boolean force) {
    member.member.reconfigure(RawDocument.parse(config), force, TestMember.operation());
  }

  @Test
  void aLoneSurvivorIsForcedToGoOn() {
    List<TestMember> set = initiated(3);
    TestMember survivor = set.get(2);
    survivor.raft.fake().loseLeader();
    await(() -> survivor.member.primary() == null, () -> "no primary");
    reconfigure(survivor, config(1, List.of(entry(2, survivor))), true);
    await(survivor, MemberState.PRIMARY);
    assertThat(survivor.member.config().orElseThrow().members()).hasSize(1);
    assertThat(survivor.member.config().orElseThrow().version()).isGreaterThan(10_000);
  }

  @Test
  void rolesFollowTheLead() {
    List<TestMember> set = initiated(3);
    TestMember next = set.get(1);
    next.raft.fake().lead(next.raft.id().orElseThrow());
    await(next, MemberState.PRIMARY);
    await(set.getFirst(), MemberState.SECONDARY);
    assertThat(set.getFirst().reign).hasValue(-1);
    for (TestMember member : set) {
      await(() -> next.host().equals(member.member.primary()), () -> "the others know the primary");
    }
    next.raft.fake().loseLeader();
    await(next, MemberState.SECONDARY);
    assertThat(next.member.primary()).isNull();
  }

  @Test
  void secondariesReportHowFarTheyAre() throws Exception {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    write(first);
    OpTime last = first.member.lastApplied();
    assertThat(last.term()).isEqualTo(first.member.term());
    await(
        () ->
            first.member.positions().stream()
                .allMatch(position -> position.applied().compareTo(last) >= 0),
        () -> first.member.positions().toString());
    set.get(1).member.awaitApplied(last.timestamp(), TestMember.operation());
    assertThat(set.get(1).member.lastApplied()).isEqualTo(last);
  }

  @Test
  void statusHasWhatHeartbeatsTell() {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    await(
        () ->
            first.member.status().members().stream()
                .allMatch(
                    row ->
                        row.healthy()
                            && row.state()
                                == (row.self() ? MemberState.PRIMARY : MemberState.SECONDARY)),
        () -> first.member.status().toString());
    set.get(2).close();
    members.remove(set.get(2));
    await(
        () -> first.member.status().members().get(2).state() == MemberState.DOWN,
        () -> first.member.status().toString());
    assertThat(first.member.status().members().get(2).view().message()).isNotEmpty();
  }

  @Test
  void aPrimaryHandsOnToWhoIsUpToDate() {
    List<TestMember> set = initiated(3);
    TestMember first = set.getFirst();
    first.member.stepDown(
        Duration.ofSeconds(60), Duration.ofSeconds(30), false, TestMember.operation());
    await(first, MemberState.SECONDARY);
    assertThat(first.raft.frozen).isEqualTo(Duration.ofSeconds(60));
    await(
        () -> set.stream().anyMatch(member -> member.member.state() == MemberState.PRIMARY),
        () -> "a new primary");
    await(() -> first.member.primary() != null, () -> "the new primary is known");
    assertRefused(
        ErrorCode.COMMAND_FAILED,
        "Election failed",
        () -> first.member.stepUp(TestMember.operation()));
    first.member.freeze(Duration.ZERO);
    first.member.stepUp(TestMember.operation());
    await(first, MemberState.PRIMARY);
  }

  @Test
  void aPrimaryStepsDownAlsoIfNobodyTakesTheLead() {
    TestMember first = initiated(3).getFirst();
    first.raft.deaf = true;
    first.member.stepDown(
        Duration.ofSeconds(60), Duration.ofSeconds(30), false, TestMember.operation());
    await(first, MemberState.SECONDARY);
  }

  @Test
  void whoIsFrozenIsNoSuccessor() {
    List<TestMember> set = initiated(3);
    set.get(1).member.freeze(Duration.ofSeconds(60));
    set.get(2).member.freeze(Duration.ofSeconds(60));
    await(
        () ->
            set.getFirst().member.status().members().stream()
                .noneMatch(row -> !row.self() && row.view().answer().electable()),
        () -> set.getFirst().member.status().toString());
    assertRefused(
        ErrorCode.EXCEEDED_TIME_LIMIT,
        "No electable secondaries caught up",
        () ->
            set.getFirst()
                .member
                .stepDown(Duration.ofSeconds(60), Duration.ZERO, false, TestMember.operation()));
  }

  @Test
  void nobodyElseCouldLead() {
    TestMember alone = initiated(1).getFirst();
    assertRefused(
        ErrorCode.EXCEEDED_TIME_LIMIT,
        "No electable secondaries caught up",
        () ->
            alone.member.stepDown(
                Duration.ofSeconds(60), Duration.ZERO, false, TestMember.operation()));
    alone.member.stepDown(Duration.ofSeconds(60), Duration.ZERO, true, TestMember.operation());
    await(alone, MemberState.SECONDARY);
  }

  @Test
  void aSecondaryCanBeTakenOutOfReads() {
    List<TestMember> set = initiated(2);
    TestMember second = set.get(1);
    second.member.maintenance(true);
    await(second, MemberState.RECOVERING);
    second.member.maintenance(false);
    await(second, MemberState.SECONDARY);
    assertRefused(
        ErrorCode.OPERATION_FAILED,
        "already out of maintenance mode",
        () -> second.member.maintenance(false));
    assertRefused(
        ErrorCode.NOT_SECONDARY, "primaries can't", () -> set.getFirst().member.maintenance(true));
    assertThat(second.member.syncFrom(set.getFirst().host())).isEqualTo(set.getFirst().host());
    assertRefused(
        ErrorCode.NODE_NOT_FOUND, "Could not find member", () -> second.member.syncFrom("x:1"));
  }

  @Test
  void membersOfOtherSetsAreNotHeard() {
    TestMember one = initiated(1).getFirst();
    TestMember other = initiated(1).getFirst();
    assertRefused(
        ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
        "another replica set",
        () -> one.member.heartbeat(request("rs", other.raft.group().orElseThrow())));
    assertRefused(
        ErrorCode.INCONSISTENT_REPLICA_SET_NAMES,
        "does not match",
        () -> one.member.heartbeat(request("x", null)));
    assertRefused(
        ErrorCode.ALREADY_INITIALIZED,
        "another replica set",
        () -> one.member.join(new JoinRequest(other.member.config().orElseThrow(), 0)));
  }

  private static Heartbeat.Request request(String set, UUID group) {
    return new Heartbeat.Request(set, 1, 1, "x:1", 0, 1, group, false, null);
  }

  @Test
  void whatIsShownCanBeSentBack() {
    TestMember alone = initiated(1).getFirst();
    var shown = new BsonBuilder();
    ConfigWriter.append(shown, alone.member.config().orElseThrow());
    BsonDocument changed = shown.toDocument().toBsonDocument();
    changed.put("version", new BsonInt32(2));
    alone.member.reconfigure(RawDocument.of(changed), false, TestMember.operation());
    assertThat(alone.member.config().orElseThrow().version()).isEqualTo(2);
  }
}
