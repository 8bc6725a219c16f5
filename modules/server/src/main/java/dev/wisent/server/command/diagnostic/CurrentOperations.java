package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.operation.BackgroundOperation;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.operation.RunningOperation;
import java.util.ArrayList;
import java.util.List;

/** The running operations as documents, for currentOp and {@code $currentOp}. */
public final class CurrentOperations {
  private static final int COMMAND_BYTES_MAX = 4096;

  private final OperationRegistry operations;

  public CurrentOperations(OperationRegistry operations) {
    this.operations = operations;
  }

  public List<RawDocument> list(CommandContext context) {
    long now = context.operation().clock().monotonicNanos();
    var list = new ArrayList<RawDocument>();
    for (RunningOperation operation : operations.running()) {
      list.add(describe(operation, now, context.operation().clock().wallMillis()));
    }
    for (BackgroundOperation operation : operations.inBackground()) {
      list.add(describe(operation, now, context.operation().clock().wallMillis()));
    }
    return list;
  }

  private static RawDocument describe(BackgroundOperation operation, long now, long wallMillis) {
    var out = new BsonBuilder();
    out.appendString("type", "op");
    out.appendString("host", HostNames.local());
    out.appendString("desc", operation.description());
    appendProgress(operation.id(), operation.context(), now, wallMillis, out);
    out.appendString("op", operation.kind());
    out.appendString("ns", operation.namespace());
    appendState(operation.context(), out);
    return out.toDocument();
  }

  private static RawDocument describe(RunningOperation operation, long now, long wallMillis) {
    var out = new BsonBuilder();
    out.appendString("type", "op");
    out.appendString("host", HostNames.local());
    out.appendString("desc", operation.client().description());
    out.appendInt64("connectionId", operation.client().id());
    out.appendString("client", operation.client().remoteAddress());
    RawDocument metadata = operation.client().clientMetadata();
    if (metadata != null) {
      out.appendDocument("clientMetadata", metadata);
    }
    if (operation.request().sessionId() != null) {
      out.append("lsid", operation.request().sessionId());
    }
    appendProgress(operation.id(), operation.context(), now, wallMillis, out);
    out.appendString("op", operation.kind());
    out.appendString("ns", operation.namespace());
    appendCommand(operation, out);
    appendState(operation.context(), out);
    return out.toDocument();
  }

  private static void appendProgress(
      int id, OperationContext context, long now, long wallMillis, BsonBuilder out) {
    long micros = Math.max(0, (now - context.startNanos()) / 1000);
    out.appendBoolean("active", true);
    out.appendString("currentOpTime", java.time.Instant.ofEpochMilli(wallMillis).toString());
    out.appendInt32("opid", id);
    out.appendInt64("secs_running", micros / 1_000_000);
    out.appendInt64("microsecs_running", micros);
  }

  private static void appendState(OperationContext context, BsonBuilder out) {
    if (context.planSummary() != null) {
      out.appendString("planSummary", context.planSummary());
    }
    out.appendInt32("numYields", 0);
    out.startDocument("locks").end();
    out.appendBoolean("waitingForLock", false);
    out.appendBoolean("killPending", context.isKilled());
  }

  private static void appendCommand(RunningOperation operation, BsonBuilder out) {
    if (operation.command().length() <= COMMAND_BYTES_MAX) {
      out.appendDocument("command", operation.command());
    } else {
      out.startDocument("command");
      out.appendString("$truncated", operation.spec().name());
      if (operation.request().comment() != null) {
        out.append("comment", operation.request().comment());
      }
      out.end();
    }
  }
}
