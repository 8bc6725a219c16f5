package dev.wisent.cluster.embedded;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.node.WisentServer;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Puts a cluster together by commands, as a person would. */
final class AdminCalls implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final long POLL_MILLIS = 20;

  private final BackgroundLoops loops = BackgroundLoops.silent();
  private final PooledNodeClient client;
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param servers the options of one of those that are called
   */
  AdminCalls(ServerOptions servers) {
    MemberConnections members = WisentServer.connectionsTo(servers);
    this.client = new PooledNodeClient(members.options("embedded"), loops.clock(), loops);
  }

  /** Runs a command of the database {@code admin}; fails where the reply is an error. */
  RawDocument run(String address, Consumer<BsonBuilder> command) {
    return run(address, "admin", command);
  }

  /** Runs a command of a database; fails where the reply is an error. */
  RawDocument run(String address, String database, Consumer<BsonBuilder> command) {
    var body = new BsonBuilder();
    command.accept(body);
    NodeRequest request = NodeRequest.of(database, body.toDocument(), TIMEOUT);
    RawDocument reply;
    try {
      reply = client.call(HostAndPort.parse(address), request).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CommandException failed ? failed : e;
    }
    RawValue ok = reply.get("ok");
    if (ok == null || !ok.isTruthy()) {
      throw new CommandException(ErrorCode.OPERATION_FAILED, address + " says " + reply);
    }
    return reply;
  }

  void await(String what, BooleanSupplier condition) {
    long deadline = loops.clock().monotonicNanos() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (loops.clock().monotonicNanos() - deadline > 0) {
        throw new CommandException(
            ErrorCode.EXCEEDED_TIME_LIMIT, "no " + what + " within " + TIMEOUT);
      }
      pause();
    }
  }

  private void pause() {
    try {
      if (closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new CommandException(ErrorCode.INTERRUPTED, "closed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ErrorCode.INTERRUPTED, "the thread was interrupted");
    }
  }

  @Override
  public void close() {
    closed.countDown();
    client.close();
  }
}
