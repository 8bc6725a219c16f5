package dev.wisent.server.command.concern;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertOk;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.FakeReplicaSet;
import dev.wisent.server.harness.MemberServer;
import dev.wisent.server.operation.RunningOperation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that must stop while their write is on its way through the log. */
class EarlyAnswerTest {
  @TempDir Path directory;
  private final FakeReplicaSet set = new FakeReplicaSet(3);
  private final CountDownLatch applied = new CountDownLatch(1);
  private final LinkedBlockingQueue<BsonDocument> early = new LinkedBlockingQueue<>();
  private MemberServer server;

  @BeforeEach
  void start() {
    server = new MemberServer(directory, set);
    server.run("{insert: 'c', documents: [{_id: 1}]}");
    server.holdCommits(applied);
  }

  @AfterEach
  void stop() {
    applied.countDown();
    server.close();
  }

  private CompletableFuture<BsonDocument> begin(String command) {
    var reply = CompletableFuture.supplyAsync(() -> server.run(command, early::add));
    Eventually.await("it waits for its commit", server::isCommitAwaited);
    return reply;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{insert: 'c', documents: [{_id: 2}], maxTimeMS: 60000}",
        "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {a: 1}}}], maxTimeMS: 60000}",
        "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}], maxTimeMS: 60000}",
        "{findAndModify: 'c', query: {_id: 1}, update: {$set: {a: 1}}, maxTimeMS: 60000}",
        "{create: 'd', maxTimeMS: 60000}",
        "{drop: 'c', maxTimeMS: 60000}",
        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}], maxTimeMS: 60000}",
      })
  void maxTimeMs(String command) throws Exception {
    CompletableFuture<BsonDocument> reply = begin(command);
    server.pass(Duration.ofMinutes(2));
    assertCode(early.poll(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS), 50);
    assertThat(reply).as("it goes on").isNotDone();
    applied.countDown();
    reply.join();
    assertThat(early).isEmpty();
  }

  @Test
  void killOp() throws Exception {
    CompletableFuture<BsonDocument> reply = begin("{insert: 'c', documents: [{_id: 2}]}");
    for (RunningOperation operation : server.operations().running()) {
      assertOk(server.run("{killOp: 1, op: " + operation.id() + ", $db: 'admin'}"));
    }
    assertCode(early.poll(Eventually.DEADLINE_SECONDS, TimeUnit.SECONDS), 11601);
    applied.countDown();
    assertOk(reply.join());
    assertThat(server.run("{count: 'c'}").getInt32("n").getValue()).isEqualTo(2);
  }
}
