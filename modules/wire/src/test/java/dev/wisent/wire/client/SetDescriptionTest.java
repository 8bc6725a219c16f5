package dev.wisent.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.HostDescription.Kind;
import dev.wisent.wire.client.HostSelector.Mode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How a set's description follows the answers of its members, and which hosts it gives. */
class SetDescriptionTest {
  private static final HostAndPort A = HostAndPort.parse("a:1");
  private static final HostAndPort B = HostAndPort.parse("b:1");
  private static final HostAndPort C = HostAndPort.parse("c:1");
  private static final ToLongFunction<HostAndPort> NEAR = host -> 0;

  private SetDescription set = SetDescription.of("rs", Set.of(A));

  private void hear(HostAndPort host, String reply) {
    set = set.apply(HostDescription.of(host, RawDocument.parse(reply), 0));
  }

  private void lose(HostAndPort host) {
    set = set.apply(HostDescription.unknown(host, "lost"));
  }

  private static String member(HostAndPort host, String state) {
    return member(host, state, "'a:1', 'b:1', 'c:1'");
  }

  private static String member(HostAndPort host, String state, String hosts) {
    return "{ok: 1, setName: 'rs', me: '" + host + "', hosts: [" + hosts + "], " + state + "}";
  }

  private static String primary(HostAndPort host, int election, int setVersion) {
    return member(host, primaryState(election, setVersion));
  }

  private static String primaryState(int election, int setVersion) {
    return "isWritablePrimary: true, setVersion: "
        + setVersion
        + ", electionId: ObjectId('7fffffff00000000000000%02x')".formatted(election);
  }

  private Map<HostAndPort, Kind> kinds() {
    return set.hosts().stream()
        .collect(Collectors.toMap(HostDescription::host, HostDescription::kind));
  }

  @Test
  void membersAreDiscoveredFromAnyMember() {
    hear(A, member(A, "secondary: true"));
    assertThat(kinds()).isEqualTo(Map.of(A, Kind.SECONDARY, B, Kind.UNKNOWN, C, Kind.UNKNOWN));
    hear(B, primary(B, 1, 1));
    hear(C, member(C, "arbiterOnly: true"));
    assertThat(kinds()).isEqualTo(Map.of(A, Kind.SECONDARY, B, Kind.PRIMARY, C, Kind.ARBITER));
  }

  @Test
  void aPrimaryOfALaterElectionReplacesTheOldOne() {
    hear(A, primary(A, 1, 1));
    hear(B, primary(B, 2, 1));
    assertThat(kinds()).containsEntry(A, Kind.UNKNOWN).containsEntry(B, Kind.PRIMARY);
    hear(A, primary(A, 1, 1));
    assertThat(kinds()).containsEntry(A, Kind.UNKNOWN).containsEntry(B, Kind.PRIMARY);
    hear(A, primary(A, 3, 1));
    assertThat(kinds()).containsEntry(A, Kind.PRIMARY).containsEntry(B, Kind.UNKNOWN);
  }

  @Test
  void theElectionCountsMoreThanTheConfiguration() {
    hear(A, primary(A, 2, 1));
    hear(B, primary(B, 1, 5));
    assertThat(kinds()).containsEntry(A, Kind.PRIMARY).containsEntry(B, Kind.UNKNOWN);
    hear(B, primary(B, 2, 2));
    assertThat(kinds()).containsEntry(A, Kind.UNKNOWN).containsEntry(B, Kind.PRIMARY);
    hear(A, primary(A, 2, 1));
    assertThat(kinds()).containsEntry(A, Kind.UNKNOWN).containsEntry(B, Kind.PRIMARY);
  }

  @Test
  void aStalePrimaryIsKnownAsSuchAlsoAfterTheNewOneWasLost() {
    hear(A, primary(A, 1, 1));
    hear(B, primary(B, 2, 1));
    lose(B);
    hear(A, primary(A, 1, 1));
    assertThat(set.primary()).isEmpty();
  }

  @Test
  void thePrimaryTellsWhoIsInTheSet() {
    hear(A, member(A, "secondary: true"));
    hear(B, member(B, primaryState(1, 2), "'a:1', 'b:1'"));
    assertThat(kinds()).containsOnlyKeys(A, B);
    hear(A, member(A, "secondary: true"));
    assertThat(kinds()).as("an old configuration brings no host back").containsOnlyKeys(A, B);
    hear(C, member(C, "secondary: true"));
    assertThat(kinds()).as("a removed host is not heard").containsOnlyKeys(A, B);
  }

  @Test
  void aHostOfAnotherSetIsRemovedButTheLastOneIsAskedAgain() {
    hear(A, "{ok: 1, setName: 'other', me: 'a:1', hosts: ['a:1', 'x:1'], secondary: true}");
    assertThat(kinds()).isEqualTo(Map.of(A, Kind.UNKNOWN));
    assertThat(set.host(A).orElseThrow().error()).contains("other");
    hear(A, member(A, "secondary: true"));
    hear(B, "{ok: 1, setName: 'other', me: 'b:1', hosts: ['b:1', 'x:1'], secondary: true}");
    hear(C, "{ok: 1, isWritablePrimary: true}");
    assertThat(kinds()).isEqualTo(Map.of(A, Kind.SECONDARY));
  }

  @Test
  void aHostUnderAnotherNameIsReplacedByItsOwn() {
    HostAndPort alias = HostAndPort.parse("alias:1");
    set = SetDescription.of("rs", Set.of(alias));
    hear(alias, member(A, "secondary: true"));
    assertThat(kinds()).containsOnlyKeys(A, B, C);
    set = SetDescription.of("rs", Set.of(alias));
    hear(alias, primary(A, 1, 1));
    assertThat(kinds()).containsOnlyKeys(A, B, C);
    assertThat(set.primary()).isEmpty();
  }

  @Test
  void aMemberThatLostItsConfigurationStaysUntilThePrimaryDropsIt() {
    hear(A, member(A, "secondary: true"));
    hear(B, "{ok: 1, isreplicaset: true, isWritablePrimary: false}");
    assertThat(kinds()).containsEntry(B, Kind.GHOST);
    hear(A, member(A, primaryState(1, 2), "'a:1', 'c:1'"));
    assertThat(kinds()).containsOnlyKeys(A, C);
  }

  @Test
  void lostMembersAreKept() {
    hear(A, primary(A, 1, 1));
    lose(A);
    lose(B);
    lose(C);
    assertThat(kinds()).containsOnlyKeys(A, B, C).containsEntry(A, Kind.UNKNOWN);
    hear(A, primary(A, 2, 1));
    assertThat(kinds()).containsEntry(A, Kind.PRIMARY);
  }

  @Test
  void anOlderAnswerOfTheSameProcessIsLeftOut() {
    String version =
        ", topologyVersion: {processId: ObjectId('0123456789abcdef01234567'), counter: %d}}";
    String secondary = member(A, "secondary: true");
    String primary = primary(A, 1, 1);
    hear(A, primary.substring(0, primary.length() - 1) + version.formatted(6));
    hear(A, secondary.substring(0, secondary.length() - 1) + version.formatted(5));
    assertThat(kinds()).containsEntry(A, Kind.PRIMARY);
    hear(A, secondary.substring(0, secondary.length() - 1) + version.formatted(7));
    assertThat(kinds()).containsEntry(A, Kind.SECONDARY);
  }

  private List<HostAndPort> select(Mode mode) {
    return HostSelector.of(mode).select(set, NEAR, 10_000);
  }

  @Test
  void modesChooseAmongPrimaryAndSecondaries() {
    hear(A, primary(A, 1, 1));
    hear(B, member(B, "secondary: true"));
    hear(C, member(C, "secondary: true, hidden: true"));
    assertThat(select(Mode.PRIMARY)).containsExactly(A);
    assertThat(select(Mode.PRIMARY_PREFERRED)).containsExactly(A);
    assertThat(select(Mode.SECONDARY)).containsExactly(B);
    assertThat(select(Mode.SECONDARY_PREFERRED)).containsExactly(B);
    assertThat(select(Mode.NEAREST)).containsExactlyInAnyOrder(A, B);
    lose(B);
    assertThat(select(Mode.SECONDARY)).isEmpty();
    assertThat(select(Mode.SECONDARY_PREFERRED)).containsExactly(A);
    hear(B, member(B, "secondary: true"));
    lose(A);
    assertThat(select(Mode.PRIMARY)).isEmpty();
    assertThat(select(Mode.PRIMARY_PREFERRED)).containsExactly(B);
  }

  @Test
  void theFirstTagSetThatAHostHasDecides() {
    hear(A, member(A, primaryState(1, 1) + ", tags: {dc: 'x'}"));
    hear(B, member(B, "secondary: true, tags: {dc: 'x', use: 'reports'}"));
    hear(C, member(C, "secondary: true, tags: {dc: 'y'}"));
    assertThat(tagged(Mode.SECONDARY, Map.of("dc", "x"))).containsExactly(B);
    assertThat(tagged(Mode.NEAREST, Map.of("dc", "x"))).containsExactlyInAnyOrder(A, B);
    assertThat(tagged(Mode.SECONDARY, Map.of("dc", "z"), Map.of("dc", "y"))).containsExactly(C);
    assertThat(tagged(Mode.SECONDARY, Map.of("dc", "z"), Map.of())).containsExactlyInAnyOrder(B, C);
    assertThat(tagged(Mode.SECONDARY, Map.of("dc", "z"))).isEmpty();
    assertThat(tagged(Mode.SECONDARY_PREFERRED, Map.of("dc", "z"))).containsExactly(A);
  }

  @SafeVarargs
  private List<HostAndPort> tagged(Mode mode, Map<String, String>... tagSets) {
    return new HostSelector(mode, List.of(tagSets), 0).select(set, NEAR, 10_000);
  }

  private static String lastWrite(long seconds) {
    return ", lastWrite: {lastWriteDate: {$date: {$numberLong: '" + seconds * 1000 + "'}}}";
  }

  @Test
  void secondariesThatAreTooFarBehindAreLeftOut() {
    hear(A, member(A, primaryState(1, 1) + lastWrite(1000)));
    hear(B, member(B, "secondary: true" + lastWrite(920)));
    hear(C, member(C, "secondary: true" + lastWrite(919)));
    var fresh = new HostSelector(Mode.SECONDARY, List.of(), 90);
    assertThat(fresh.select(set, NEAR, 10_000)).containsExactly(B);
    lose(A);
    assertThat(fresh.select(set, NEAR, 10_000)).containsExactlyInAnyOrder(B, C);
    hear(B, member(B, "secondary: true" + lastWrite(1000)));
    assertThat(fresh.select(set, NEAR, 10_000)).containsExactly(B);
  }

  @Test
  void slowHostsAreLeftOut() {
    hear(A, primary(A, 1, 1));
    hear(B, member(B, "secondary: true"));
    hear(C, member(C, "secondary: true"));
    Map<HostAndPort, Long> nanos = Map.of(A, 40_000_000L, B, 20_000_000L, C, 36_000_000L);
    assertThat(HostSelector.of(Mode.NEAREST).select(set, nanos::get, 10_000)).containsExactly(B);
    assertThat(HostSelector.primary().select(set, nanos::get, 10_000)).containsExactly(A);
  }
}
