package dev.wisent.replication.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicaSetConfigTest {
  private static final String THREE =
      "{_id: 'rs', version: 3, members: [{_id: 0, host: 'a:1'}, {_id: 1, host: 'b:1'},"
          + " {_id: 2, host: 'c:1'}]}";

  private static ReplicaSetConfig read(String json) {
    return ConfigReader.read(RawDocument.parse(json));
  }

  private static ReplicaSetConfig checked(String json) {
    ReplicaSetConfig config = read(json);
    ConfigRules.check(config, "rs");
    return config;
  }

  private static String members(String members) {
    return "{_id: 'rs', members: [" + members + "]}";
  }

  private static String many(int count, String rest) {
    return members(
        String.join(
            ",",
            IntStream.range(0, count)
                .mapToObj(i -> "{_id: " + i + ", host: 'h" + i + ":1'" + rest + "}")
                .toList()));
  }

  /** Kept by the set, neither shown to administrators nor taken from them. */
  @Test
  void newMembersAreRememberedAndNotShown() {
    ReplicaSetConfig config = read(THREE).in(UUID.randomUUID(), 1, 3, SetSettings.DEFAULTS);
    var members = new ArrayList<>(config.members());
    members.set(1, members.get(1).withNewlyAdded(true));
    ReplicaSetConfig added = config.withMembers(members);
    assertThat(ConfigReader.readStored(ConfigWriter.stored(added))).isEqualTo(added);
    var shown = new BsonBuilder();
    ConfigWriter.append(shown, added);
    assertThat(shown.toDocument().toString()).doesNotContain("newlyAdded");
    assertThatThrownBy(() -> read(members("{_id: 0, host: 'a:1', newlyAdded: true}")))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("newlyAdded");
  }

  @Test
  void defaultsAreFilledIn() {
    ReplicaSetConfig config = checked("{_id: 'rs', members: [{_id: 0, host: ' a '}]}");
    assertThat(config.version()).isEqualTo(1);
    assertThat(config.members()).containsExactly(MemberConfig.of(0, "a:27017"));
    assertThat(config.settings()).isEqualTo(SetSettings.DEFAULTS);
    assertThat(config.majorityVoteCount()).isEqualTo(1);
  }

  static Stream<Arguments> bad() {
    return Stream.of(
        Arguments.of("{members: []}", "'ReplSetConfig._id' is missing"),
        Arguments.of("{_id: 'rs'}", "'ReplSetConfig.members' is missing"),
        Arguments.of("{_id: 1, members: []}", "wrong type 'int', expected type 'string'"),
        Arguments.of("{_id: 'other', members: []}", "command line reports rs"),
        Arguments.of("{_id: 'rs', members: []}", "contains 0 members"),
        Arguments.of("{_id: 'rs', members: {}}", "expected type 'array'"),
        Arguments.of("{_id: 'rs', members: [], foo: 1}", "'ReplSetConfig.foo' is an unknown field"),
        Arguments.of("{_id: 'rs', version: 0, members: []}", "must be >= 1"),
        Arguments.of("{_id: 'rs', protocolVersion: 0, members: []}", "is not 1"),
        Arguments.of(
            "{_id: 'rs', configsvr: 'x', members: []}",
            "'ReplSetConfig.configsvr' is the wrong type 'string'"),
        Arguments.of("{_id: 'rs', logGroup: 1, members: []}", "unknown field"),
        Arguments.of(members("{_id: 0}"), "'MemberConfig.host' is missing"),
        Arguments.of(members("{host: 'a'}"), "'MemberConfig._id' is missing"),
        Arguments.of(members("{_id: 256, host: 'a'}"), "must be <= 255"),
        Arguments.of(members("{_id: -1, host: 'a'}"), "must be >= 0"),
        Arguments.of(members("{_id: 0, host: 'a:0'}"), "out of range"),
        Arguments.of(members("{_id: 0, host: 'a:b'}"), "out of range"),
        Arguments.of(members("{_id: 0, host: ':1'}"), "Empty host"),
        Arguments.of(members("{_id: 0, host: 'a b:1'}"), "Bad host"),
        Arguments.of(members("{_id: 0, host: 'a', x: 1}"), "'MemberConfig.x' is an unknown"),
        Arguments.of(members("{_id: 0, host: 'a', priority: -1}"), "priority field value of -1.0"),
        Arguments.of(members("{_id: 0, host: 'a', priority: 1001}"), "out of range"),
        Arguments.of(members("{_id: 0, host: 'a', votes: 2}"), "must be 0 or 1"),
        Arguments.of(members("{_id: 0, host: 'a', votes: 0}"), "when non-voting"),
        Arguments.of(members("{_id: 0, host: 'a', hidden: true}"), "when hidden=true"),
        Arguments.of(
            members("{_id: 0, host: 'a', secondaryDelaySecs: 1}"), "secondaryDelaySecs is used"),
        Arguments.of(
            members("{_id: 0, host: 'a', priority: 0, secondaryDelaySecs: -1}"), "out of range"),
        Arguments.of(members("{_id: 0, host: 'a', slaveDelay: 1}"), "unknown field"),
        Arguments.of(members("{_id: 0, host: 'a', buildIndexes: false}"), "buildIndexes"),
        Arguments.of(
            members("{_id: 0, host: 'a'}, {_id: 1, host: 'b', arbiterOnly: true, votes: 0}"),
            "Arbiter must vote"),
        Arguments.of(
            members("{_id: 0, host: 'a'}, {_id: 1, host: 'b', arbiterOnly: true, tags: {x: 'y'}}"),
            "Cannot set tags on arbiters"),
        Arguments.of(
            members("{_id: 0, host: 'a', priority: 0}"), "at least one non-arbiter member"),
        Arguments.of(members("{_id: 0, host: 'a', arbiterOnly: true}"), "at least one non-arbiter"),
        Arguments.of(members("{_id: 0, host: 'a', horizons: {x: 'y:1'}}"), "horizons"),
        Arguments.of(members("{_id: 0, host: 'a', tags: {x: 1}}"), "non-string value"),
        Arguments.of(
            members("{_id: 0, host: 'a'}, {_id: 0, host: 'b'}"),
            "same _id field, members.0._id == members.1._id == 0"),
        Arguments.of(
            members("{_id: 0, host: 'a'}, {_id: 1, host: 'a:27017'}"),
            "members.0.host == members.1.host == a:27017"),
        Arguments.of(
            members("{_id: 0, host: 'localhost'}, {_id: 1, host: 'b'}"), "found 1 out of 2"),
        Arguments.of(members("{_id: 0, host: '[::1]:5'}, {_id: 1, host: 'b'}"), "found 1 out of 2"),
        Arguments.of(many(51, ", votes: 0, priority: 0"), "contains 51 members"),
        Arguments.of(many(8, ""), "contains 8 voting members"),
        Arguments.of(many(3, ", votes: 0, priority: 0"), "contains 0 voting members"),
        Arguments.of(
            "{_id: 'rs', members: [{_id: 0, host: 'a'}], settings: {getLastErrorModes: {m: {dc:"
                + " 1}}}}",
            "No such tag"),
        Arguments.of(
            "{_id: 'rs', members: [{_id: 0, host: 'a', tags: {dc: 'x'}}], settings:"
                + " {getLastErrorModes: {m: {dc: 2}}}}",
            "asks for 2 different values"),
        Arguments.of(
            "{_id: 'rs', members: [], settings: {getLastErrorModes: {majority: {}}}}",
            "may not define the mode"),
        Arguments.of(
            "{_id: 'rs', members: [], settings: {getLastErrorDefaults: {w: 2}}}",
            "setDefaultRWConcern"),
        Arguments.of(
            "{_id: 'rs', members: [], settings: {heartbeatIntervalMillis: 0}}", "must be >= 1"),
        Arguments.of("{_id: 'rs', members: [], settings: {x: 0}}", "unknown field"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void badOnesAreRefused(String json, String message) {
    assertThatThrownBy(() -> checked(json))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REPLICA_SET_CONFIG))
        .hasMessageContaining(message);
  }

  @Test
  void anArbitersPriorityIsZero() {
    ReplicaSetConfig config =
        checked(members("{_id: 0, host: 'a'}, {_id: 1, host: 'b', arbiterOnly: true}"));
    assertThat(config.members().get(1).priority()).isZero();
    assertThat(config.majorityVoteCount()).isEqualTo(2);
    assertThat(config.writableVoterCount()).isEqualTo(1);
    assertThat(config.writeMajorityCount()).isEqualTo(1);
  }

  @Test
  void writingAndReadingGivesTheSame() {
    ReplicaSetConfig config =
        checked(
                "{_id: 'rs', version: 7, members: [{_id: 4, host: 'a', priority: 2.5, tags: {dc:"
                    + " 'x', rack: '1'}}, {_id: 200, host: 'b', priority: 0, votes: 0, hidden:"
                    + " true, secondaryDelaySecs: 60}], settings: {chainingAllowed: false,"
                    + " heartbeatIntervalMillis: 500, getLastErrorModes: {m: {dc: 1, rack: 1}}}}")
            .in(UUID.randomUUID(), 5, 8, SetSettings.DEFAULTS.withReplicaSetId(new ObjectId()));
    assertThat(ConfigReader.readStored(ConfigWriter.stored(config))).isEqualTo(config);
    var shown = new BsonBuilder();
    ConfigWriter.append(shown, config);
    ReplicaSetConfig again = ConfigReader.read(shown.toDocument());
    assertThat(again.logGroup()).isNull();
    assertThat(again.members()).isEqualTo(config.members());
    assertThat(again.settings()).isEqualTo(config.settings());
  }

  @Test
  void modesKeepTheirCounts() {
    ReplicaSetConfig config =
        checked(
            "{_id: 'rs', members: [{_id: 0, host: 'a', tags: {dc: 'x'}}, {_id: 1, host: 'b', tags:"
                + " {dc: 'y'}}], settings: {getLastErrorModes: {both: {dc: 2}}}}");
    assertThat(config.settings().writeConcernModes()).isEqualTo(Map.of("both", Map.of("dc", 2)));
  }

  static Stream<Arguments> incompatible() {
    return Stream.of(
        Arguments.of(THREE, "must be greater than old, but 3 is not greater than 3"),
        Arguments.of(THREE.replace("version: 3", "version: 2"), "2 is not greater than 3"),
        Arguments.of(
            "{_id: 'rs', version: 4, members: [{_id: 0, host: 'a:1'}]}", "at most 1 voting member"),
        Arguments.of(
            THREE
                .replace("version: 3", "version: 4")
                .replace("]", ", {_id: 3, host: 'd'}, {_id: 4," + " host: 'e'}]"),
            "at most 1 voting member"),
        Arguments.of(
            THREE.replace("version: 3", "version: 4").replace("_id: 2", "_id: 7"),
            "both have members with host of c:1"),
        Arguments.of(
            THREE.replace("version: 3", "version: 4").replace("'c:1'", "'c:1', arbiterOnly: true"),
            "remove then re-add"),
        Arguments.of(
            THREE
                .replace("version: 3", "version: 4")
                .replace("]}", "], settings: {replicaSetId: {$oid: '5f0000000000000000000000'}}}"),
            "differ in replica set ID"));
  }

  @ParameterizedTest
  @MethodSource("incompatible")
  void incompatibleChangesAreRefused(String json, String message) {
    assertThatThrownBy(() -> ConfigChange.check(read(THREE), read(json), false))
        .isInstanceOfSatisfying(
            CommandException.class,
            e ->
                assertThat(e.code())
                    .isEqualTo(ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE))
        .hasMessageContaining(message);
  }

  @Test
  void oneVotingChangeAndAnyOthersAreAllowed() {
    String next = THREE.replace("version: 3", "version: 4");
    ConfigChange.check(read(THREE), read(next.replace("]", ", {_id: 3, host: 'd'}]")), false);
    ConfigChange.check(
        read(THREE),
        read(
            next.replace(
                "]",
                ", {_id: 3, host: 'd', votes: 0, priority: 0}, {_id: 4, host: 'e', votes: 0,"
                    + " priority: 0}]")),
        false);
    ConfigChange.check(read(THREE), read(next.replace("'b:1'", "'x:9', priority: 5")), false);
  }

  @Test
  void forceMayDropAnyNumberOfVoters() {
    ConfigChange.check(
        read(THREE), read("{_id: 'rs', version: 1, members: [{_id: 0, host: 'a:1'}]}"), true);
  }
}
