package dev.wisent.server.command.concern;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import java.nio.file.Path;
import org.bson.BsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What replies tell of time, and what requests teach. */
class ClusterTimesTest {
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

  @Test
  void nothingIsToldBeforeAnythingHasHappened() {
    assertThat(server.run("{ping: 1}").keySet()).containsExactly("ok");
  }

  @Test
  void repliesTellTheTimeAtTheirEnd() {
    BsonDocument inserted = server.run("{insert: 'c', documents: [{}]}");
    assertThat(inserted.keySet())
        .containsExactly("n", "electionId", "opTime", "ok", "$clusterTime", "operationTime");
    BsonDocument clusterTime = inserted.getDocument("$clusterTime");
    assertThat(clusterTime.getDocument("signature").getBinary("hash").getData())
        .isEqualTo(new byte[20]);
    assertThat(clusterTime.getDocument("signature").getInt64("keyId").getValue()).isZero();
    assertThat(inserted.getObjectId("electionId").getValue())
        .isEqualTo(new ObjectId("7fffffff0000000000000003"));
    assertThat(inserted.getDocument("opTime").get("ts")).isEqualTo(inserted.get("operationTime"));
    assertThat(inserted.getDocument("opTime").getInt64("t").getValue()).isEqualTo(3);
    assertThat(inserted.getTimestamp("operationTime").getValue())
        .isEqualTo(set.lastApplied().timestamp());
  }

  @Test
  void errorsTellTheTimeToo() {
    server.run("{insert: 'c', documents: [{}]}");
    for (String failing : new String[] {"{nosuch: 1}", "{find: 'c', x: 1}", "{count: 1}"}) {
      assertThat(server.run(failing).keySet())
          .endsWith("codeName", "$clusterTime", "operationTime");
    }
  }

  @Test
  void aWriteTellsItsOwnTimeAndAReadTheLast() {
    long written = time(server.run("{insert: 'c', documents: [{}]}"));
    set.applied(0, written + 5);
    assertThat(time(server.run("{find: 'c'}"))).isEqualTo(written + 5);
    assertThat(time(server.run("{update: 'c', updates: [{q: {a: 1}, u: {$set: {a: 2}}}]}")))
        .as("nothing was written")
        .isEqualTo(written + 5);
  }

  @Test
  void requestsAdvanceTheClock() {
    server.run("{insert: 'c', documents: [{}]}");
    long ahead = set.clock().now() + (100L << 32);
    assertOk(server.run(pingAt(ahead)));
    assertThat(set.clock().now()).isEqualTo(ahead);
    assertThat(time(server.run("{insert: 'c', documents: [{}]}"))).isGreaterThan(ahead);
    assertOk(server.run(pingAt(ahead - (200L << 32))));
    assertThat(set.clock().now()).isGreaterThan(ahead);
  }

  @Test
  void timesFarAheadAreRefused() {
    server.run("{insert: 'c', documents: [{}]}");
    long now = set.clock().now();
    assertCode(server.run(pingAt(now + ((400L * 24 * 60 * 60) << 32))), 205);
    assertThat(set.clock().now()).isEqualTo(now);
    assertCode(server.run("{ping: 1, $clusterTime: {clusterTime: 1}}"), 14);
    assertCode(server.run("{ping: 1, $clusterTime: {}}"), 40414);
    assertCode(server.run("{ping: 1, $clusterTime: 1}"), 14);
  }

  private static String pingAt(long time) {
    return "{ping: 1, $clusterTime: {clusterTime: {$timestamp: {t: %d, i: %d}}, signature: {hash: {$binary: {base64: '', subType: '00'}}, keyId: {$numberLong: '0'}}}}"
        .formatted(time >>> 32, time & 0xFFFF_FFFFL);
  }

  private static long time(BsonDocument reply) {
    assertOk(reply);
    return reply.getTimestamp("operationTime").getValue();
  }
}
