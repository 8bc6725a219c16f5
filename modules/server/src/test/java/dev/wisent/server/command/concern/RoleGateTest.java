package dev.wisent.server.command.concern;

import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.MemberState;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What members refuse to do in their state. */
class RoleGateTest {
  private static final String SECONDARY_OK = "$readPreference: {mode: 'secondaryPreferred'}";

  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, set);
    assertOk(server.run("{insert: 'c', documents: [{_id: 1}]}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{insert: 'c', documents: [{}]}",
        "{update: 'c', updates: [{q: {}, u: {$set: {a: 1}}}]}",
        "{delete: 'c', deletes: [{q: {}, limit: 1}]}",
        "{findAndModify: 'c', remove: true}",
        "{bulkWrite: 1, ops: [{insert: 0, document: {}}], nsInfo: [{ns: 'test.c'}], $db: 'admin'}",
        "{create: 'd'}",
        "{drop: 'c'}",
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}",
        "{dropIndexes: 'c', index: '*'}",
        "{collMod: 'c', validator: {}}",
        "{renameCollection: 'test.c', to: 'test.d', $db: 'admin'}",
        "{dropDatabase: 1}"
      })
  void secondaryDoesNotWrite(String command) {
    set.state(MemberState.SECONDARY);
    BsonDocument refused = server.run(command);
    assertError(refused, 10107, "not primary");
    assertThat(refused.getDocument("topologyVersion").getInt64("counter").getValue()).isZero();
    // Nor does it with a read preference.
    assertError(
        server.run(command.substring(0, command.length() - 1) + ", " + SECONDARY_OK + "}"),
        10107,
        "not primary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "find: 'c'",
        "count: 'c'",
        "distinct: 'c', key: 'a'",
        "aggregate: 'c', pipeline: [], cursor: {}",
        "listCollections: 1",
        "listIndexes: 'c'",
        "listDatabases: 1, $db: 'admin'",
        "collStats: 'c'",
        "dbStats: 1",
        "explain: {find: 'c'}",
      })
  void readsOfSecondariesHaveToBeAllowed(String command) {
    set.state(MemberState.SECONDARY);
    assertError(server.run("{" + command + "}"), 13435, "not primary and secondaryOk=false");
    assertError(
        server.run("{" + command + ", $readPreference: {mode: 'primary'}}"),
        13435,
        "not primary and secondaryOk=false");
    for (String mode : new String[] {"primaryPreferred", "secondary", "nearest"}) {
      assertOk(server.run("{%s, $readPreference: {mode: '%s'}}".formatted(command, mode)));
    }
    set.state(MemberState.STARTUP);
    assertError(
        server.run("{" + command + ", " + SECONDARY_OK + "}"),
        13436,
        "node is not in primary or recovering state");
    set.state(MemberState.RECOVERING);
    assertError(server.run("{" + command + ", " + SECONDARY_OK + "}"), 13436, "node is recovering");
  }

  @Test
  void validateNeedsNoReadPreference() {
    set.state(MemberState.SECONDARY);
    assertOk(server.run("{validate: 'c'}"));
    set.state(MemberState.RECOVERING);
    assertError(server.run("{validate: 'c'}"), 13436, "node is recovering");
  }

  @ParameterizedTest
  @EnumSource(MemberState.class)
  void someCommandsAlwaysWork(MemberState state) {
    set.state(state);
    for (String command :
        new String[] {
          "hello: 1",
          "isMaster: 1",
          "ping: 1",
          "buildInfo: 1",
          "serverStatus: 1",
          "getParameter: '*', $db: 'admin'",
          "connectionStatus: 1",
          "currentOp: 1, $db: 'admin'",
          "killCursors: 'c', cursors: [{$numberLong: '1'}]",
          "find: 'c', $db: 'local'"
        }) {
      assertOk(server.run("{" + command + "}"));
    }
  }

  @Test
  void cursorsGoOnAfterTheMemberHasSteppedDown() {
    assertOk(server.run("{insert: 'c', documents: [{_id: 2}, {_id: 3}]}"));
    BsonDocument first = server.run("{find: 'c', batchSize: 1}");
    long id = first.getDocument("cursor").getInt64("id").getValue();
    set.state(MemberState.SECONDARY);
    assertOk(server.run("{getMore: {$numberLong: '" + id + "'}, collection: 'c', batchSize: 1}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {} | 40414 | BSON field '$readPreference.mode' is missing but a required field
          {mode: 'best'} | 2 | Enumeration value 'best' for field '$readPreference.mode' is not a valid value.
          {mode: 1} | 14 | BSON field '$readPreference.mode' is the wrong type 'int', expected type 'string'
          {mode: 'primary', tags: [{a: 'b'}]} | 2 | Only empty tags are allowed with primary read preference
          {mode: 'primary', maxStalenessSeconds: 120} | 2 | maxStalenessSeconds can not be set for the primary mode
          {mode: 'nearest', maxStalenessSeconds: -1} | 2 | maxStalenessSeconds must be a non-negative integer
          {mode: 'nearest', maxStalenessSeconds: 10} | 160 | maxStalenessSeconds value can not be less than 90
          {mode: 'primary', hedge: {}} | 72 | cannot enable hedging for $readPreference mode "primaryOnly"
          {mode: 'nearest', colour: 1} | 40415 | BSON field '$readPreference.colour' is an unknown field.
          """)
  void preferencesThatMakeNoSense(String preference, int code, String message) {
    assertError(server.run("{find: 'c', $readPreference: " + preference + "}"), code, message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{mode: 'primary', tags: [{}]}",
        "{mode: 'primary', hedge: {enabled: false}}",
        "{mode: 'secondary', tags: [{a: 'b'}, {}]}",
        "{mode: 'nearest', maxStalenessSeconds: 90, hedge: {enabled: true}}"
      })
  void preferencesThatDo(String preference) {
    assertOk(server.run("{find: 'c', $readPreference: " + preference + "}"));
  }

  @Test
  void reIndexIsForStandalones() {
    assertError(
        server.run("{reIndex: 'c'}"),
        20,
        "reIndex is only allowed on a standalone mongod instance. Cannot reIndex 'test.c' while"
            + " replication is active");
  }

  @Test
  void errorsOfStateChangesTellTheTopologyVersion() {
    assertOk(
        server.run(
            "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['ping'],"
                + " errorCode: 91}, $db: 'admin'}"));
    BsonDocument reply = server.run("{ping: 1}");
    assertThat(reply.getInt32("code").getValue()).isEqualTo(91);
    assertThat(reply.containsKey("topologyVersion")).isTrue();
    assertThat(server.run("{nosuch: 1}").containsKey("topologyVersion")).isFalse();
  }
}
