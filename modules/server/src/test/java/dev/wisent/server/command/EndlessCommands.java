package dev.wisent.server.command;

import static dev.wisent.server.harness.Replies.assertCode;

import dev.wisent.server.harness.EmbeddedServer;
import dev.wisent.server.harness.Eventually;
import dev.wisent.server.harness.RawClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Runs commands that do not end by themselves, and checks what ends them. */
final class EndlessCommands {
  private final EmbeddedServer server;
  private final AtomicInteger comments = new AtomicInteger();

  EndlessCommands(EmbeddedServer server) {
    this.server = server;
  }

  /** A comment by which {@link #operations} finds the command that has it. */
  String newComment() {
    return "endless " + comments.incrementAndGet();
  }

  void assertKillOpEnds(String command) {
    String comment = newComment();
    CompletableFuture<BsonDocument> running = start(command + ", comment: '" + comment + "'");
    Eventually.await("it runs", () -> running.isDone() || !operations(comment).isEmpty());
    operations(comment)
        .forEach(op -> server.admin("{killOp: 1, op: " + op.getInt32("opid").getValue() + "}"));
    Eventually.await("it ends", running::isDone);
    assertCode(running.join(), 11601);
  }

  void assertMaxTimeEnds(String command) {
    CompletableFuture<BsonDocument> running = start(command + ", maxTimeMS: 20");
    Eventually.await("it ends", running::isDone);
    assertCode(running.join(), 50);
  }

  private CompletableFuture<BsonDocument> start(String command) {
    var reply = new CompletableFuture<BsonDocument>();
    Thread.ofVirtual()
        .start(
            () -> {
              try (RawClient client = server.connect()) {
                reply.complete(client.run("{" + command + ", $db: 'test'}"));
              } catch (RuntimeException | AssertionError e) {
                reply.completeExceptionally(e);
              }
            });
    return reply;
  }

  List<BsonDocument> operations(String comment) {
    return server
        .admin("{currentOp: 1, 'command.comment': '" + comment + "'}")
        .getArray("inprog")
        .stream()
        .map(BsonValue::asDocument)
        .toList();
  }
}
