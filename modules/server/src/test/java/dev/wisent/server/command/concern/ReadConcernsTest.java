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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Read concerns on a member of a set. */
class ReadConcernsTest {
  private static final String SECONDARY_OK = "$readPreference: {mode: 'nearest'}";

  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private MemberServer server;
  private long written;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, set);
    BsonDocument reply = server.run("{insert: 'c', documents: [{_id: 1}]}");
    written = reply.getTimestamp("operationTime").getValue();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{level: 'local'}", "{level: 'available'}", "{level: 'majority'}"})
  void whatIsAppliedIsOnAMajority(String concern) {
    assertOk(find(concern));
    set.state(MemberState.SECONDARY);
    assertOk(find(concern));
    assertThat(set.confirmations()).isZero();
  }

  /** As in a set whose other members have not joined the log yet. */
  @Test
  void linearizableNeedsTheMajorityOfTheConfiguration() {
    set.logVoters(Set.of(0));
    assertCode(server.run("{find: 'c', readConcern: {level: 'linearizable'}, maxTimeMS: 20}"), 50);
    int waits = set.waits();
    CompletableFuture<BsonDocument> reply =
        CompletableFuture.supplyAsync(() -> find("{level: 'linearizable'}"));
    Eventually.await("it waits", () -> set.waits() > waits);
    assertThat(reply).isNotDone();
    set.applied(2, Long.MAX_VALUE);
    assertOk(reply.join());
  }

  @Test
  void linearizableAsksWhetherThisIsStillThePrimary() {
    assertOk(find("{level: 'linearizable'}"));
    assertThat(set.confirmations()).isOne();
    set.confirmable(false);
    assertError(find("{level: 'linearizable'}"), 10107, "not primary");
    set.state(MemberState.SECONDARY);
    assertError(
        find("{level: 'linearizable'}"),
        10107,
        "cannot satisfy linearizable read concern on non-primary node");
  }

  @Test
  void secondaryWaitsUntilItHasAppliedATime() {
    set.state(MemberState.SECONDARY);
    assertOk(find(after(written)));
    long later = set.clock().tick();
    int before = set.waits();
    var reply = CompletableFuture.supplyAsync(() -> find(after(later)));
    Eventually.await("the read waits", () -> set.waits() > before);
    set.applied(0, later);
    assertOk(reply.join());
    assertThat(reply.join().getTimestamp("operationTime").getValue()).isEqualTo(later);
  }

  /** Times of replies tell of an entry that is written, before counters do. */
  @Test
  void secondaryWaitsUntilWhatIsWrittenIsCounted() {
    set.state(MemberState.SECONDARY);
    set.publishing(true);
    int before = set.waits();
    var reply = CompletableFuture.supplyAsync(() -> find(after(written)));
    Eventually.await("the read waits", () -> set.waits() > before);
    assertThat(reply).isNotDone();
    set.publishing(false);
    assertOk(reply.join());
  }

  @Test
  void theWaitEndsWithItsTime() {
    set.state(MemberState.SECONDARY);
    long later = set.clock().tick();
    BsonDocument reply =
        server.run(
            "{find: 'c', maxTimeMS: 30, readConcern: %s, %s}"
                .formatted(after(later), SECONDARY_OK));
    assertCode(reply, 50);
  }

  @Test
  void primaryDoesNotWaitForATimeAtWhichNothingHappened() {
    assertOk(find(after(set.clock().tick())));
    assertThat(set.confirmations()).isOne();
  }

  @Test
  void timesThatNobodyKnows() {
    BsonDocument reply = find(after(set.clock().now() + (1000L << 32)));
    assertCode(reply, 72);
    assertThat(reply.getString("errmsg").getValue())
        .startsWith(
            "readConcern afterClusterTime value must not be greater than the current clusterTime."
                + " Requested clusterTime: ");
    // Unless the request itself tells of it.
    long ahead = set.clock().now() + (10L << 32);
    assertOk(
        server.run(
            "{find: 'c', readConcern: %s, $clusterTime: {clusterTime: %s}}"
                .formatted(after(ahead), timestamp(ahead))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {level: 'linearizable', afterClusterTime: {$timestamp: {t: 1, i: 1}}} | 72 | afterClusterTime field can be set only if level is equal to majority, local, or snapshot
          {level: 'available', afterClusterTime: {$timestamp: {t: 1, i: 1}}} | 72 | afterClusterTime field can be set only if level is equal to majority, local, or snapshot
          {atClusterTime: {$timestamp: {t: 1, i: 1}}} | 72 | atClusterTime field can be set only if level is equal to snapshot
          {level: 'snapshot', atClusterTime: {$timestamp: {t: 1, i: 1}}, afterClusterTime: {$timestamp: {t: 1, i: 1}}} | 72 | Can not specify both atClusterTime and afterClusterTime
          {afterClusterTime: {$timestamp: {t: 0, i: 0}}} | 72 | afterClusterTime cannot be a null timestamp
          {afterClusterTime: 1} | 14 | BSON field 'readConcern.afterClusterTime' is the wrong type 'int', expected type 'timestamp'
          """)
  void concernsThatCannotBeMet(String concern, int code, String message) {
    assertError(find(concern), code, message);
  }

  @Test
  void anOpTimeOfAnotherMember() {
    assertOk(find("{afterOpTime: {ts: " + timestamp(written) + ", t: {$numberLong: '3'}}}"));
  }

  private BsonDocument find(String concern) {
    return server.run("{find: 'c', readConcern: " + concern + ", " + SECONDARY_OK + "}");
  }

  private static String after(long time) {
    return "{afterClusterTime: " + timestamp(time) + "}";
  }

  private static String timestamp(long time) {
    return "{$timestamp: {t: %d, i: %d}}".formatted(time >>> 32, time & 0xFFFF_FFFFL);
  }
}
