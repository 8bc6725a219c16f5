package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.CommandReplies;
import dev.wisent.wire.client.NodeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has the primary of the set run commands, also where that is this node: secondaries sample the
 * reads that they serve, and all members keep their samples in one way.
 */
final class PrimaryConfigCalls implements ConfigCalls {
  /** So that the end of the operation is noticed. */
  private static final long STEP_MILLIS = 100;

  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(10);

  private static final Namespace ANALYZERS = new Namespace("config", "queryAnalyzers");
  private static final RawDocument FULL = RawDocument.parse("{mode: 'full'}");

  private final ReplicaSet set;
  private final Operations database;

  PrimaryConfigCalls(ReplicaSet set, Operations database) {
    this.set = set;
    this.database = database;
  }

  /** Every member has them, and need not ask the primary again and again. */
  @Override
  public List<RawDocument> analyzers(OperationContext operation) {
    var request = new FindRequest.Builder().filter(FULL).build(ANALYZERS);
    var analyzers = new ArrayList<RawDocument>();
    try (ResultCursor cursor = database.find(operation, request)) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        analyzers.add(each.detached());
      }
    }
    return analyzers;
  }

  @Override
  public RawDocument call(OperationContext operation, RawDocument command) {
    String primary = set.primary();
    if (primary == null) {
      throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "no primary is known");
    }
    Duration timeout = Duration.ofNanos(Math.min(operation.nanosLeft(), TIMEOUT_MAX.toNanos()));
    CompletableFuture<RawDocument> answer =
        set.nodes().call(HostAndPort.parse(primary), NodeRequest.of("config", command, timeout));
    RawDocument reply = await(answer, operation);
    CommandReplies.requireOk(reply);
    return reply;
  }

  private static RawDocument await(
      CompletableFuture<RawDocument> answer, OperationContext operation) {
    try {
      while (true) {
        try {
          return answer.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          operation.checkNow();
        }
      }
    } catch (ExecutionException e) {
      operation.checkNow();
      throw new CommandException(
          ErrorCode.HOST_UNREACHABLE, "the primary cannot be asked: " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      throw operation.threadInterrupted();
    } finally {
      answer.cancel(true);
    }
  }

  @Override
  public boolean isReachable() {
    return set.primary() != null;
  }

  /** Each member has the whole rate for what it serves: mostly the primary serves nearly all. */
  @Override
  public double share(OperationContext operation) {
    return 1;
  }
}
