package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.command.diagnostic.BuildInfoCommand;
import dev.wisent.server.command.diagnostic.GetCmdLineOptsCommand;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.StorageException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** {@code local.startup_log}: a document for each start of this node. */
final class StartupLog {
  private static final Namespace COLLECTION = new Namespace("local", "startup_log");
  private static final int NOT_WRITTEN_LOG_ID = 9_000_106;
  private static final int BYTES_MAX = 10 << 20;
  private static final RawDocument CAPPED =
      new BsonBuilder().appendBoolean("capped", true).appendInt32("size", BYTES_MAX).toDocument();
  private static final DateTimeFormatter LOCAL_TIME =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss.SSS", Locale.ROOT);

  private final ServerOptions options;
  private final Clock clock;
  private final Log log;

  StartupLog(ServerOptions options, Clock clock, Log log) {
    this.options = options;
    this.clock = clock;
    this.log = log;
  }

  /** Adds this start. A disk that is full must not keep the node from serving reads. */
  void write(LocalDatabase database) {
    OperationContext operation = OperationContext.internal(clock);
    try {
      if (database.catalog().find(COLLECTION) == null) {
        database.changes().create(COLLECTION, CAPPED, operation);
      }
      var request = new InsertRequest(COLLECTION, List.of(document()), true, true);
      var failures = database.insert(operation, request).failures();
      if (!failures.isEmpty()) {
        throw failures.getFirst().error();
      }
    } catch (CommandException | StorageException | LeadershipException e) {
      log.warn(NOT_WRITTEN_LOG_ID, "Could not write to local.startup_log", "error", e.toString());
    }
  }

  private RawDocument document() {
    long now = clock.wallMillis();
    String host = HostNames.local();
    var out = new BsonBuilder();
    out.appendString("_id", host + "-" + now);
    out.appendString("hostname", host);
    out.appendDate("startTime", now);
    out.appendString(
        "startTimeLocal",
        LOCAL_TIME.format(Instant.ofEpochMilli(now).atZone(ZoneId.systemDefault())));
    out.startDocument("cmdLine");
    GetCmdLineOptsCommand.append(options, out);
    out.end();
    out.appendInt64("pid", ProcessHandle.current().pid());
    out.startDocument("buildinfo");
    BuildInfoCommand.append(out);
    out.end();
    return out.toDocument();
  }
}
