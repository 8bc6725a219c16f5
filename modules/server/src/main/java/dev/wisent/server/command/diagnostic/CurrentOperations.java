package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.command.CommandContext;
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
    return list;
  }

  private static RawDocument describe(RunningOperation operation, long now, long wallMillis) {
    long micros = Math.max(0, (now - operation.context().startNanos()) / 1000);
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
    out.appendBoolean("active", true);
    out.appendString("currentOpTime", java.time.Instant.ofEpochMilli(wallMillis).toString());
    out.appendInt32("opid", operation.id());
    if (operation.request().sessionId() != null) {
      out.append("lsid", operation.request().sessionId());
    }
    out.appendInt64("secs_running", micros / 1_000_000);
    out.appendInt64("microsecs_running", micros);
    out.appendString("op", operation.kind());
    out.appendString("ns", operation.namespace());
    appendCommand(operation, out);
    if (operation.context().planSummary() != null) {
      out.appendString("planSummary", operation.context().planSummary());
    }
    out.appendInt32("numYields", 0);
    out.startDocument("locks").end();
    out.appendBoolean("waitingForLock", false);
    out.appendBoolean("killPending", operation.context().isKilled());
    return out.toDocument();
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
