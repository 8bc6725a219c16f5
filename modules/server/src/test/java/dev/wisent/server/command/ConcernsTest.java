package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static dev.wisent.server.harness.Replies.batch;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.RawClient;
import dev.wisent.wire.OpMsg;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Read and write concerns as a node that is not replicated takes them. */
class ConcernsTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final List<String> WRITES =
      List.of(
          "{insert: 'c', documents: [{}], %s}",
          "{update: 'c', updates: [{q: {}, u: {$inc: {a: 1}}}], %s}",
          "{delete: 'c', deletes: [{q: {a: 'none'}, limit: 0}], %s}",
          "{findAndModify: 'c', query: {a: 'none'}, remove: true, %s}",
          "{create: 'made', %s}",
          "{drop: 'made', %s}",
          "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}], %s}",
          "{dropIndexes: 'c', index: 'a', %s}",
          "{collMod: 'c', validationLevel: 'strict', %s}");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{w: 1}",
        "{w: 0}",
        "{w: 'majority'}",
        "{w: 1, j: true}",
        "{j: true}",
        "{w: 1.0}",
        "{w: 'majority', wtimeout: 100}",
        "{w: 1, wtimeout: 5, j: false}",
        "{w: 0, j: true}",
        "{fsync: true}",
        "{w: 1, provenance: 'clientSupplied'}"
      })
  void writeConcernThatCanBeMet(String concern) {
    for (String write : WRITES) {
      assertOk(SERVER.run(write.formatted("writeConcern: " + concern)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {w: 2} | 2 | cannot use 'w' > 1 when a host is not replicated
          {w: 50} | 2 | cannot use 'w' > 1 when a host is not replicated
          {w: 51} | 9 | w has to be a non-negative number and not greater than 50; found: 51
          {w: -1} | 9 | w has to be a non-negative number and not greater than 50; found: -1
          {w: true} | 9 | w has to be a number, string, or object; found: bool
          {w: 'rack'} | 2 | cannot use non-majority 'w' mode rack when a host is not a member of a replica set
          {w: {dc: 1}} | 2 | cannot use non-majority 'w' mode { dc: 1 } when a host is not a member of a replica set
          {j: true, fsync: true} | 9 | fsync and j options cannot be used together
          {x: 1} | 40415 | BSON field 'writeConcern.x' is an unknown field.
          """)
  void writeConcernThatCannot(String concern, int code, String message) {
    for (String write : WRITES) {
      assertError(SERVER.fail(write.formatted("writeConcern: " + concern)), code, message);
    }
    assertThat(batch(SERVER.run("{listCollections: 1, filter: {name: 'made'}}")))
        .as("nothing was done")
        .isEmpty();
  }

  @Test
  void writeConcernOfAWrongType() {
    assertError(
        SERVER.fail("{insert: 'c', documents: [{}], writeConcern: 1}"),
        14,
        "BSON field 'insert.writeConcern' is the wrong type 'int', expected type 'object'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ping: 1", "find: 'c'", "count: 'c'", "listCollections: 1", "validate: 'c'"})
  void commandsThatTakeNone(String command) {
    assertError(
        SERVER.fail("{" + command + ", writeConcern: {w: 1}}"),
        72,
        "Command does not support writeConcern");
  }

  @Test
  void unacknowledgedWriteGetsNoReply() {
    try (RawClient client = SERVER.connect()) {
      String insert = "{insert: 'silent', documents: [{a: 1}], writeConcern: {w: 0}, $db: 'test'}";
      client.send(client.message(OpMsg.MORE_TO_COME, RawDocument.parse(insert)));
      client.send(client.message(OpMsg.MORE_TO_COME, RawDocument.parse("{nosuch: 1}")));
      // The next reply on the connection is that of the next command.
      var reply = client.run("{count: 'silent', $db: 'test'}");
      assertThat(reply.getInt32("n").getValue()).isEqualTo(1);
    }
  }

  @Test
  void unacknowledgedWriteThatAsksForAReplyGetsOne() {
    try (RawClient client = SERVER.connect()) {
      assertThat(
              client
                  .run("{insert: 'c', documents: [{}], writeConcern: {w: 0}, $db: 'test'}")
                  .getInt32("n")
                  .getValue())
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{level: 'local'}", "{level: 'available'}", "{level: 'majority'}"})
  void readConcernThatCanBeMet(String concern) {
    for (String read : reads()) {
      assertOk(SERVER.run(read.formatted(concern)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {level: 'linearizable'} | 123 | node needs to be a replica set member to use read concern
          {afterClusterTime: {$timestamp: {t: 1, i: 1}}} | 20 | Cannot specify afterClusterTime readConcern without replication enabled
          {level: 'local', atClusterTime: {$timestamp: {t: 1, i: 1}}} | 72 | atClusterTime field can be set only if level is equal to snapshot
          {level: 'nonsense'} | 2 | Enumeration value 'nonsense' for field 'readConcern.level' is not a valid value.
          {level: 1} | 14 | BSON field 'readConcern.level' is the wrong type 'int', expected type 'string'
          {x: 1} | 40415 | BSON field 'readConcern.x' is an unknown field.
          """)
  void readConcernThatCannot(String concern, int code, String message) {
    for (String read : reads()) {
      assertError(SERVER.fail(read.formatted(concern)), code, message);
    }
  }

  @Test
  void snapshot() {
    assertError(
        SERVER.fail("{find: 'c', readConcern: {level: 'snapshot'}}"),
        123,
        "node needs to be a replica set member to use readConcern: snapshot");
    assertError(
        SERVER.fail("{count: 'c', readConcern: {level: 'snapshot'}}"),
        72,
        "Command count does not support { readConcern: { level: \"snapshot\" } } :: caused by ::"
            + " read concern snapshot not supported");
  }

  @Test
  void readConcernOfAWrongType() {
    assertError(
        SERVER.fail("{find: 'c', readConcern: 'local'}"),
        14,
        "BSON field 'FindCommandRequest.readConcern' is the wrong type 'string', expected type"
            + " 'object'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ping: 1", "create: 'x'", "listCollections: 1", "createIndexes: 'c'"})
  void commandsThatReadLocallyOnly(String command) {
    assertCode(SERVER.fail("{" + command + ", readConcern: {level: 'majority'}}"), 72);
  }

  @Test
  void localIsTakenByAll() {
    assertOk(SERVER.run("{ping: 1, readConcern: {level: 'local'}}"));
    assertOk(SERVER.run("{insert: 'c', documents: [{}], readConcern: {level: 'majority'}}"));
  }

  @Test
  void defaultsBelongToReplicaSets() {
    assertError(
        SERVER.fail("admin", "{getDefaultRWConcern: 1}"),
        20,
        "'getDefaultRWConcern' is not supported on standalone nodes.");
    assertError(
        SERVER.fail("admin", "{setDefaultRWConcern: 1, defaultWriteConcern: {w: 1}}"),
        20,
        "'setDefaultRWConcern' is not supported on standalone nodes.");
  }

  @Test
  void repliesOfAStandaloneHaveNoTimes() {
    assertThat(
            SERVER
                .run(
                    "{ping: 1, $clusterTime: {clusterTime: {$timestamp: {t: 1, i: 1}}},"
                        + " $readPreference: {mode: 'nearest'}}")
                .keySet())
        .containsExactly("ok");
  }

  private static List<String> reads() {
    return List.of(
        "{find: 'c', readConcern: %s}",
        "{count: 'c', readConcern: %s}",
        "{distinct: 'c', key: 'a', readConcern: %s}",
        "{aggregate: 'c', pipeline: [], cursor: {}, readConcern: %s}");
  }
}
