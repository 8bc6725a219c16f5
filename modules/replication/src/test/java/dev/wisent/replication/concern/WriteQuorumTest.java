package dev.wisent.replication.concern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.ReplicaSet.MemberPosition;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.config.SetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sets are written as a letter per member: V votes and has data, N has data without a vote, A is an
 * arbiter. Positions are a digit per member: the time that it has applied.
 */
class WriteQuorumTest {
  @ParameterizedTest
  @CsvSource({
    "V, true",
    "VV, true",
    "VVV, true",
    "VVN, true",
    "VVA, false",
    "VA, false",
    "VVVA, false",
    "VVVAA, false",
    "VVVVA, true",
    "VVVN, true"
  })
  void defaultIsMajorityUnlessArbitersMakeThatAStandstill(String members, boolean majority) {
    assertThat(quorum(set(members)).isMajorityByDefault()).isEqualTo(majority);
  }

  @ParameterizedTest
  @CsvSource({
    // What one member has applied is in the log of most.
    "VVV, 500, true",
    "VVV, 400, false",
    "VVV, 455, true",
    "V, 5, true",
    // Arbiters have no data, so they do not count.
    "VVA, 500, false",
    "VVA, 550, true",
    "VVA, 505, false",
    "VVVA, 5550, true",
    "VVVA, 5540, false",
    "VNA, 550, true",
    "VNA, 450, false",
  })
  void majority(String members, String positions, boolean reached) {
    assertThat(reached(members, WriteMode.MAJORITY, positions)).isEqualTo(reached);
  }

  @ParameterizedTest
  @CsvSource({
    "VVV, 1, 500, true",
    "VVV, 2, 500, false",
    "VVV, 2, 550, true",
    "VVV, 3, 554, false",
    "VVV, 3, 565, true",
    "VVN, 3, 555, true",
    "VVA, 3, 559, false",
    "VVA, 2, 509, false",
  })
  void numbers(String members, int w, String positions, boolean reached) {
    assertThat(reached(members, new WriteMode.Members(w), positions)).isEqualTo(reached);
  }

  @ParameterizedTest
  @CsvSource({"VVV, 3, true", "VVV, 4, false", "VVA, 3, false", "VVN, 3, true", "V, 2, false"})
  void numbersThatCanNeverBeReached(String members, int w, boolean possible) {
    var quorum = quorum(set(members));
    var mode = new WriteMode.Members(w);
    if (possible) {
      quorum.checkPossible(mode);
    } else {
      assertThatThrownBy(() -> quorum.checkPossible(mode))
          .hasMessage("Not enough data-bearing nodes")
          .extracting(e -> ((CommandException) e).code())
          .isEqualTo(ErrorCode.UNSATISFIABLE_WRITE_CONCERN);
    }
  }

  @Test
  void tagsCountTheirDifferentValues() {
    var quorum = quorum(tagged("east", "east", "west"));
    var both = new WriteMode.Tags(Map.of("dc", 2));
    assertThat(quorum.isReached(both, 5, positions("550"))).isFalse();
    assertThat(quorum.isReached(both, 5, positions("505"))).isTrue();
    assertThat(quorum.isReached(new WriteMode.Named("twoCentres"), 5, positions("550"))).isFalse();
    assertThat(quorum.isReached(new WriteMode.Named("twoCentres"), 5, positions("055"))).isTrue();
    quorum.checkPossible(both);
    quorum.checkPossible(new WriteMode.Named("twoCentres"));
  }

  @Test
  void tagsThatCanNeverBeReached() {
    var quorum = quorum(tagged("east", "east", "east"));
    assertThatThrownBy(() -> quorum.checkPossible(new WriteMode.Named("twoCentres")))
        .hasMessage("Not enough nodes match write concern mode \"twoCentres\"");
    assertThatThrownBy(() -> quorum.checkPossible(new WriteMode.Tags(Map.of("rack", 1))))
        .extracting(e -> ((CommandException) e).code())
        .isEqualTo(ErrorCode.UNSATISFIABLE_WRITE_CONCERN);
    assertThatThrownBy(() -> quorum.checkPossible(new WriteMode.Named("nosuch")))
        .hasMessage("No write concern mode named 'nosuch' found in replica set configuration")
        .extracting(e -> ((CommandException) e).code())
        .isEqualTo(ErrorCode.UNKNOWN_REPL_WRITE_CONCERN);
  }

  @Test
  void membersThatAreNotInTheConfigurationDoNotCount() {
    var quorum = quorum(set("VV"));
    assertThat(quorum.isReached(new WriteMode.Members(2), 5, positions("509"))).isFalse();
  }

  private static boolean reached(String members, WriteMode mode, String positions) {
    return quorum(set(members)).isReached(mode, 5, positions(positions));
  }

  private static List<MemberPosition> positions(String digits) {
    var positions = new ArrayList<MemberPosition>();
    for (int i = 0; i < digits.length(); i++) {
      positions.add(new MemberPosition(i, new OpTime(digits.charAt(i) - '0', 1)));
    }
    return positions;
  }

  /** What the log has committed is on a majority only if it asks the right members. */
  @ParameterizedTest
  @CsvSource({
    "0, 500, false", "0, 550, true", "0, 505, true", "01, 500, false", "01, 550, true",
    "'', 500, false", "'', 055, true", "012, 500, true", "0123, 500, false", "0123, 550, true"
  })
  void majorityIsThatOfTheConfiguration(String logVoters, String positions, boolean reached) {
    var quorum = new WriteQuorum(set("VVV"), ids(logVoters));
    assertThat(quorum.isReached(WriteMode.MAJORITY, 5, positions(positions))).isEqualTo(reached);
    assertThat(quorum.isLogMajority()).isEqualTo(logVoters.equals("012"));
  }

  /** Else the majority would wait until a new member has copied all the data. */
  @ParameterizedTest
  @CsvSource({"0, 50, true", "01, 50, true", "'', 50, true", "'', 05, false"})
  void aMemberThatWasAddedCountsWhenItVotes(String logVoters, String positions, boolean reached) {
    List<MemberConfig> members = new ArrayList<>(set("VV").members());
    members.set(1, members.get(1).withNewlyAdded(true));
    var quorum = new WriteQuorum(config(members), ids(logVoters));
    assertThat(quorum.isReached(WriteMode.MAJORITY, 5, positions(positions))).isEqualTo(reached);
    assertThat(quorum.isLogMajority()).isEqualTo(!logVoters.isEmpty());
  }

  private static Set<Integer> ids(String digits) {
    return digits.chars().mapToObj(digit -> digit - '0').collect(Collectors.toSet());
  }

  private static ReplicaSetConfig set(String kinds) {
    var members = new ArrayList<MemberConfig>();
    for (int i = 0; i < kinds.length(); i++) {
      members.add(member(i, kinds.charAt(i), Map.of()));
    }
    return config(members);
  }

  private static ReplicaSetConfig tagged(String... centres) {
    var members = new ArrayList<MemberConfig>();
    for (int i = 0; i < centres.length; i++) {
      members.add(member(i, 'V', Map.of("dc", centres[i])));
    }
    return config(members);
  }

  private static MemberConfig member(int id, char kind, Map<String, String> tags) {
    return new MemberConfig(
        id,
        "host" + id + ":27017",
        kind == 'A',
        true,
        false,
        kind == 'V' ? 1 : 0,
        kind == 'N' ? 0 : 1,
        0,
        tags,
        false);
  }

  /** Where the log has the voters of the configuration. */
  private static WriteQuorum quorum(ReplicaSetConfig config) {
    return new WriteQuorum(
        config,
        config.members().stream()
            .filter(MemberConfig::isVoter)
            .map(MemberConfig::id)
            .collect(Collectors.toSet()));
  }

  private static ReplicaSetConfig config(List<MemberConfig> members) {
    var settings =
        new SetSettings(
            true, 2000, 10, 10_000, -1, 30_000, Map.of("twoCentres", Map.of("dc", 2)), null);
    return new ReplicaSetConfig("rs", 1, 1, members, settings, null);
  }
}
