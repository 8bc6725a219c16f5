package dev.wisent.server.command.concern;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.replication.MemberState;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes on the primary of a set of three, whose other members do what the test says. */
class WriteConcernsTest {
  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, set);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{w: 0}", "{w: 1}", "{w: 'majority'}", "{j: true}", "{fsync: true}"})
  void concernsThatThePrimaryMeetsItself(String concern) {
    BsonDocument reply = insert(concern);
    assertOk(reply);
    assertThat(reply.containsKey("writeConcernError")).isFalse();
    assertThat(set.waits()).isZero();
  }

  /** As in a set whose other members have not joined the log yet. */
  @Test
  void majorityIsThatOfTheConfiguration() {
    set.logVoters(Set.of(0));
    assertThat(insert("{w: 'majority', wtimeout: 20}").getDocument("writeConcernError"))
        .containsEntry("code", new BsonInt32(64));
    CompletableFuture<BsonDocument> reply = insertInBackground("{w: 'majority'}");
    assertThat(reply).isNotDone();
    set.applied(2, Long.MAX_VALUE);
    assertThat(reply.join().keySet()).contains("n", "ok").doesNotContain("writeConcernError");
  }

  @Test
  void majorityIsKnownAtOnceWhenTheLogHasTheVotersOfTheConfiguration() {
    set.logVoters(Set.of(0, 1));
    CompletableFuture<BsonDocument> reply = insertInBackground("{w: 'majority'}");
    assertThat(reply).isNotDone();
    set.logVoters(Set.of(0, 1, 2));
    assertThat(reply.join().keySet()).contains("n", "ok").doesNotContain("writeConcernError");
  }

  @Test
  void numberOfMembersIsWaitedFor() {
    CompletableFuture<BsonDocument> reply = insertInBackground("{w: 3}");
    set.applied(1, Long.MAX_VALUE);
    assertThat(reply).isNotDone();
    set.applied(2, Long.MAX_VALUE);
    assertThat(reply.join().keySet()).contains("n", "ok").doesNotContain("writeConcernError");
  }

  @Test
  void tagsAreWaitedFor() {
    CompletableFuture<BsonDocument> named = insertInBackground("{w: 'bothCentres'}");
    set.applied(2, Long.MAX_VALUE);
    assertThat(named.join().containsKey("writeConcernError")).isFalse();
    BsonDocument direct = insert("{w: {centre: 2}}");
    assertThat(direct.containsKey("writeConcernError")).isFalse();
  }

  @Test
  void timeoutLeavesTheWrite() {
    BsonDocument reply = insert("{w: 2, wtimeout: 20}");
    assertThat(reply.getInt32("n").getValue()).isEqualTo(1);
    assertThat(reply.getDouble("ok").getValue()).isEqualTo(1);
    assertThat(reply.getDocument("writeConcernError"))
        .isEqualTo(
            BsonDocument.parse(
                "{code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed"
                    + " out', errInfo: {wtimeout: true, writeConcern: {w: 2, wtimeout: 20,"
                    + " provenance: 'clientSupplied'}}}"));
    assertThat(server.run("{count: 'c'}").getInt32("n").getValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {w: 4} | 100 | Not enough data-bearing nodes
          {w: 50} | 100 | Not enough data-bearing nodes
          {w: {centre: 3}} | 100 | Not enough nodes match write concern mode {centre=3}
          {w: 'nosuch'} | 79 | No write concern mode named 'nosuch' found in replica set configuration
          """)
  void whatCanNeverBeMetIsToldAfterTheWrite(String concern, int code, String message) {
    BsonDocument reply = insert(concern);
    assertOk(reply);
    BsonDocument error = reply.getDocument("writeConcernError");
    assertThat(error.getInt32("code").getValue()).isEqualTo(code);
    assertThat(error.getString("errmsg").getValue()).isEqualTo(message);
    assertThat(server.run("{count: 'c'}").getInt32("n").getValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {w: 51} | 9 | w has to be a non-negative number and not greater than 50; found: 51
          {w: true} | 9 | w has to be a number, string, or object; found: bool
          {w: {}} | 9 | tagged write concern requires tags
          {w: {a: 'b'}} | 9 | tags must be a single level document with only number values; found: a: "b"
          {w: 1, provenance: 'me'} | 2 | Enumeration value 'me' for field 'writeConcern.provenance' is not a valid value.
          {j: true, fsync: true} | 9 | fsync and j options cannot be used together
          {x: 1} | 40415 | BSON field 'writeConcern.x' is an unknown field.
          """)
  void concernsThatMakeNoSense(String concern, int code, String message) {
    assertError(insert(concern), code, message);
    assertThat(server.run("{count: 'c'}").getInt32("n").getValue()).isZero();
  }

  @Test
  void steppingDownEndsTheWait() {
    CompletableFuture<BsonDocument> reply = insertInBackground("{w: 2}");
    set.state(MemberState.SECONDARY);
    BsonDocument error = reply.join().getDocument("writeConcernError");
    assertThat(error.getInt32("code").getValue()).isEqualTo(189);
    assertThat(error.getString("codeName").getValue()).isEqualTo("PrimarySteppedDown");
    assertThat(reply.join().containsKey("topologyVersion")).isTrue();
  }

  @Test
  void killOpAndMaxTimeEndTheWait() {
    CompletableFuture<BsonDocument> killed = insertInBackground("{w: 2}");
    server.operations().running().forEach(operation -> server.operations().kill(operation.id()));
    BsonDocument error = killed.join().getDocument("writeConcernError");
    assertThat(error.getInt32("code").getValue()).isEqualTo(11601);
    CompletableFuture<BsonDocument> late = insertInBackground("{w: 2}, maxTimeMS: 3600000");
    server.pass(Duration.ofHours(2));
    BsonDocument timeout = late.join().getDocument("writeConcernError");
    assertThat(timeout.getInt32("code").getValue()).isEqualTo(50);
  }

  /** Another command is in the fsync, on a disk that hangs. */
  @Test
  void killOpAndMaxTimeEndTheWaitForTheJournal() {
    var synced = new CountDownLatch(1);
    insert("{}");
    server.holdSyncs(synced);
    CompletableFuture<BsonDocument> killed = insertThatWaitsForTheDisk("{j: true}");
    server.operations().running().forEach(operation -> server.operations().kill(operation.id()));
    assertThat(killed.join().getInt32("n").getValue()).as("the write stays").isEqualTo(1);
    assertThat(killed.join().getDocument("writeConcernError").getInt32("code").getValue())
        .isEqualTo(11601);
    CompletableFuture<BsonDocument> late =
        insertThatWaitsForTheDisk("{j: true}, maxTimeMS: 3600000");
    server.pass(Duration.ofHours(2));
    assertThat(late.join().getDocument("writeConcernError").getInt32("code").getValue())
        .isEqualTo(50);
    CompletableFuture<BsonDocument> patient = insertThatWaitsForTheDisk("{j: true}");
    synced.countDown();
    assertThat(patient.join().keySet()).contains("n", "ok").doesNotContain("writeConcernError");
  }

  private CompletableFuture<BsonDocument> insertThatWaitsForTheDisk(String concern) {
    var reply = CompletableFuture.supplyAsync(() -> insert(concern));
    Eventually.await("the insert waits", server::isSyncAwaited);
    return reply;
  }

  @Test
  void aMemberThatIsTakenOutOfTheSetMakesTheConcernImpossible() {
    CompletableFuture<BsonDocument> reply = insertInBackground("{w: 3}");
    set.config(FakeReplicaSet.config(2, 0));
    assertThat(reply.join().getDocument("writeConcernError").getInt32("code").getValue())
        .isEqualTo(100);
  }

  @Test
  void definitionsAreWaitedForToo() {
    for (String command :
        new String[] {
          "create: 'd'",
          "createIndexes: 'd', indexes: [{key: {a: 1}, name: 'a_1'}]",
          "collMod: 'd', validationLevel: 'strict'",
          "drop: 'd'"
        }) {
      BsonDocument reply = server.run("{" + command + ", writeConcern: {w: 2, wtimeout: 1}}");
      assertOk(reply);
      assertThat(reply.getDocument("writeConcernError").getInt32("code").getValue())
          .as(command)
          .isEqualTo(64);
    }
  }

  @Test
  void definitionsWithoutEffectAreWaitedForToo() {
    insert("{}");
    server.run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]}");
    for (String command :
        new String[] {
          "drop: 'nosuch'",
          "dropDatabase: 1, $db: 'nosuch'",
          "create: 'c'",
          "createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_1'}]",
          "dropIndexes: 'c', index: []",
          "collMod: 'c'",
          "aggregate: 'c', cursor: {}, pipeline: [{$out: 'd'}]",
          "aggregate: 'c', cursor: {}, pipeline: [{$merge: 'd'}]",
        }) {
      for (String impossible : new String[] {"{w: 4}", "{w: 'nosuch'}"}) {
        BsonDocument reply = server.run("{" + command + ", writeConcern: " + impossible + "}");
        assertOk(reply);
        assertThat(reply).as(command).containsKey("writeConcernError");
        assertThat(reply.getDocument("writeConcernError").getInt32("code").getValue())
            .as(command)
            .isIn(79, 100);
      }
    }
  }

  @Test
  void writeWithoutEffectWaitsForWhatItHasSeen() {
    insert("{}");
    String nothing =
        "{update: 'c', updates: [{q: {a: 1}, u: {$set: {a: 2}}}], writeConcern: {w: 2, wtimeout:"
            + " 1}}";
    assertThat(server.run(nothing).containsKey("writeConcernError")).isTrue();
    set.applied(1, set.lastApplied().timestamp());
    assertThat(server.run(nothing).containsKey("writeConcernError")).isFalse();
  }

  @Test
  void withArbitersTheDefaultIsThePrimaryAndAMajorityNeedsData() {
    set.config(FakeReplicaSet.config(2, 1));
    assertThat(insert("{}").containsKey("writeConcernError")).isFalse();
    BsonDocument error = insert("{w: 'majority', wtimeout: 1}").getDocument("writeConcernError");
    assertThat(error.getDocument("errInfo").getDocument("writeConcern"))
        .isEqualTo(
            BsonDocument.parse("{w: 'majority', wtimeout: 1, provenance: 'clientSupplied'}"));
    set.applied(1, Long.MAX_VALUE);
    assertThat(insert("{w: 'majority'}").containsKey("writeConcernError")).isFalse();
  }

  @Test
  void commandsThatTakeNone() {
    assertCode(server.run("{find: 'c', writeConcern: {w: 1}}"), 72);
  }

  private BsonDocument insert(String concern) {
    return server.run("{insert: 'c', documents: [{}], writeConcern: " + concern + "}");
  }

  private CompletableFuture<BsonDocument> insertInBackground(String concern) {
    int before = set.waits();
    var reply = CompletableFuture.supplyAsync(() -> insert(concern));
    Eventually.await("the insert waits", () -> set.waits() > before);
    return reply;
  }
}
