package dev.wisent.server.command.diagnostic;

import dev.wisent.base.Limits;
import dev.wisent.base.loop.LoopCounts;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.diagnostic.AppliedFigures;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.diagnostic.PlanCacheFigures;
import dev.wisent.operation.diagnostic.RetryFigures;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.server.HostNames;
import dev.wisent.server.ServerServices;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.metrics.DocumentCounts;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.metrics.ServerMetrics.OpCounter;
import dev.wisent.server.session.SessionJob;
import dev.wisent.server.transport.ConnectionCounts;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** {@code serverStatus}, in the shape that mongostat and exporters read. */
public final class ServerStatusCommand implements Command {
  private static final long MEGABYTE = 1 << 20;

  /** What a section appends. */
  public interface Section extends BiConsumer<CommandContext, BsonBuilder> {}

  private final ServerServices services;
  private final String process;
  private final long startMillis;
  private final Map<String, BiConsumer<CommandContext, BsonBuilder>> sections;

  public ServerStatusCommand(ServerServices services) {
    this(services, "wisent", Map.of());
  }

  /**
   * @param process what clients tell the kinds of servers by
   * @param own sections that only this role has
   */
  public ServerStatusCommand(ServerServices services, String process, Map<String, Section> own) {
    this.services = services;
    this.process = process;
    this.startMillis = services.clock().wallMillis();
    this.sections =
        new TreeMap<>(
            Map.ofEntries(
                Map.entry("asserts", this::asserts),
                Map.entry("backgroundLoops", this::backgroundLoops),
                Map.entry("connections", this::connections),
                Map.entry("extra_info", this::extraInfo),
                Map.entry("logicalSessionRecordCache", this::sessions),
                Map.entry("mem", this::memory),
                Map.entry("messageMemory", this::messageMemory),
                Map.entry("metrics", this::metrics),
                Map.entry("network", this::network),
                Map.entry("security", this::security),
                Map.entry(
                    "transportSecurity",
                    (context, out) -> new TransportStatus(services.tls()).appendConnections(out)),
                Map.entry("opcounters", this::opCounters),
                Map.entry("jvm", this::jvm)));
    if (services.stored().isPresent()) {
      sections.put("globalLock", this::globalLock);
      sections.put("locks", (context, out) -> {});
      sections.put("opcountersRepl", this::opCountersRepl);
      sections.put("storageEngine", this::storageEngine);
      sections.put("rocksdb", this::rocksDb);
      sections.put("transactions", this::transactions);
    }
    sections.putAll(own);
    services
        .replicaSet()
        .ifPresent(
            set -> {
              sections.put("repl", repl(new HelloMembership(set)));
              sections.put(
                  "electionMetrics",
                  (context, out) -> ElectionMetrics.appendCounts(out, set.elections().counts()));
            });
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long uptimeMillis = context.operation().clock().wallMillis() - startMillis;
    reply.appendString("host", HostNames.local() + ":" + services.connectedPort().getAsInt());
    reply.appendString("version", ServerVersion.COMPATIBLE_WITH);
    reply.appendString("process", process);
    reply.appendInt64("pid", ProcessHandle.current().pid());
    reply.appendDouble("uptime", uptimeMillis / 1000.0);
    reply.appendInt64("uptimeMillis", uptimeMillis);
    reply.appendInt64("uptimeEstimate", uptimeMillis / 1000);
    reply.appendDate("localTime", context.operation().clock().wallMillis());
    sections.keySet().stream()
        .filter(name -> isWanted(name, request.body()))
        .forEach(
            name -> {
              reply.startDocument(name);
              sections.get(name).accept(context, reply);
              reply.end();
            });
  }

  /** A section is left out with {@code name: 0}. */
  private static boolean isWanted(String name, RawDocument body) {
    ElementCursor fields = body.elements();
    while (fields.next()) {
      if (fields.name().equals(name)) {
        return fields.value().isTruthy();
      }
    }
    return true;
  }

  private NodeStore store() {
    return services.store().store();
  }

  private void asserts(CommandContext context, BsonBuilder out) {
    out.appendInt32("regular", 0);
    out.appendInt32("warning", 0);
    out.appendInt32("msg", 0);
    out.appendInt32("user", (int) services.metrics().userAsserts());
    out.appendInt32("tripwire", 0);
    out.appendInt32("rollovers", 0);
  }

  private void security(CommandContext context, BsonBuilder out) {
    services.access().counters().append(out);
    out.startDocument("users");
    out.appendInt64("failedReads", services.access().users().failedReads());
    out.end();
    new TransportStatus(services.tls()).appendCertificate(out);
  }

  private void backgroundLoops(CommandContext context, BsonBuilder out) {
    for (LoopCounts loop : services.loops().counts()) {
      out.startDocument(loop.name());
      out.appendInt64("turns", loop.turns());
      out.appendInt64("failures", loop.failures());
      if (loop.lastError() != null) {
        out.appendString("lastError", loop.lastError());
      }
      out.end();
    }
  }

  private void connections(CommandContext context, BsonBuilder out) {
    ConnectionCounts counts = services.connections().get();
    out.appendInt32("current", counts.current());
    out.appendInt32("available", counts.available());
    out.appendInt32("totalCreated", (int) counts.totalCreated());
    out.appendInt32("rejected", (int) counts.rejected());
    out.appendInt32("active", counts.active());
    out.appendInt32("threaded", counts.threaded());
  }

  private void extraInfo(CommandContext context, BsonBuilder out) {
    out.appendString("note", "fields vary by platform");
    out.appendInt32("page_faults", 0);
  }

  private void globalLock(CommandContext context, BsonBuilder out) {
    int active = services.connections().get().active();
    out.appendInt64("totalTime", (context.operation().clock().wallMillis() - startMillis) * 1000);
    for (String name : new String[] {"currentQueue", "activeClients"}) {
      out.startDocument(name);
      out.appendInt32("total", name.equals("activeClients") ? active : 0);
      out.appendInt32("readers", 0);
      out.appendInt32("writers", 0);
      out.end();
    }
  }

  private void memory(CommandContext context, BsonBuilder out) {
    ProcessMemory memory = ProcessMemory.read();
    out.appendInt32("bits", 64);
    out.appendInt32("resident", (int) (memory.residentBytes() / MEGABYTE));
    out.appendInt32("virtual", (int) (memory.virtualBytes() / MEGABYTE));
    out.appendBoolean("supported", true);
  }

  private void network(CommandContext context, BsonBuilder out) {
    ServerMetrics metrics = services.metrics();
    out.appendInt64("bytesIn", metrics.bytesIn());
    out.appendInt64("bytesOut", metrics.bytesOut());
    out.appendInt64("physicalBytesIn", metrics.bytesIn());
    out.appendInt64("physicalBytesOut", metrics.bytesOut());
    out.appendInt64("numRequests", metrics.requests());
  }

  private void messageMemory(CommandContext context, BsonBuilder out) {
    MessageMemory.Counts counts = services.messageMemory().counts();
    out.appendInt64("limitBytes", counts.limitBytes());
    out.appendInt64("usedBytes", counts.usedBytes());
    out.appendInt64("peakBytes", counts.peakBytes());
    out.appendInt64(
        "connectionBytes", (long) counts.threads() * Limits.MESSAGE_BYTES_UNCOUNTED_MAX);
    out.startDocument("waiting");
    out.appendInt32("messages", counts.arriving());
    out.appendInt32("operations", counts.running());
    out.end();
    out.appendInt64("totalWaits", counts.waits());
    out.appendInt64("refusedOperations", counts.refusals());
    out.appendInt64("slowClientsClosed", counts.slowClients());
  }

  private void opCounters(CommandContext context, BsonBuilder out) {
    for (OpCounter counter : OpCounter.values()) {
      out.appendInt64(counter.name().toLowerCase(Locale.ROOT), services.metrics().value(counter));
    }
  }

  /** What others have written, and was applied here. */
  private void opCountersRepl(CommandContext context, BsonBuilder out) {
    AppliedFigures applied = store().applied();
    out.appendInt64("insert", applied.inserts());
    out.appendInt64("query", 0);
    out.appendInt64("update", applied.updates());
    out.appendInt64("delete", applied.deletes());
    out.appendInt64("getmore", 0);
    out.appendInt64("command", applied.commands());
  }

  private void appendReplication(BsonBuilder out) {
    AppliedFigures applied = store().applied();
    out.startDocument("repl").startDocument("apply").startDocument("batches");
    out.appendInt32("num", (int) applied.batches());
    out.appendInt32("totalMillis", (int) applied.millis());
    out.end();
    out.appendInt64("ops", applied.entries());
    out.end();
    out.startDocument("network");
    out.appendInt64("bytes", applied.bytes());
    out.appendInt64("ops", applied.entries());
    out.end().end();
  }

  private void metrics(CommandContext context, BsonBuilder out) {
    CursorRegistry.Counts cursors = services.cursors().counts();
    out.startDocument("commands");
    services
        .metrics()
        .commands()
        .forEach(
            (name, count) -> {
              out.startDocument(name);
              out.appendInt64("failed", count.failed());
              out.appendInt64("total", count.total());
              out.end();
            });
    out.end();
    out.startDocument("cursor");
    out.appendInt64("evicted", cursors.evicted());
    out.appendInt64("timedOut", cursors.timedOut());
    out.appendInt64("totalOpened", cursors.totalOpened());
    out.startDocument("open");
    out.appendInt64("noTimeout", cursors.noTimeout());
    out.appendInt64("pinned", cursors.pinned());
    out.appendInt64("total", cursors.open());
    out.end();
    out.end();
    out.startDocument("document");
    DocumentCounts documents = services.metrics().documents();
    out.appendInt64("deleted", documents.deleted());
    out.appendInt64("inserted", documents.inserted());
    out.appendInt64("returned", documents.returned());
    out.appendInt64("updated", documents.updated());
    out.end();
    if (services.stored().isPresent()) {
      storeMetrics(out);
    }
  }

  private void storeMetrics(BsonBuilder out) {
    out.startDocument("query").startDocument("planCache").startDocument("classic");
    PlanCacheFigures plans = store().planCache();
    out.appendInt64("hits", plans.hits());
    out.appendInt64("misses", plans.misses());
    out.appendInt64("replanned", plans.replanned());
    out.appendInt64("skipped", plans.skipped());
    out.end().end().end();
    appendReplication(out);
    out.startDocument("ttl");
    out.appendInt64("deletedDocuments", services.ttlMonitor().orElseThrow().deletedDocuments());
    out.appendInt64("passes", services.ttlMonitor().orElseThrow().passes());
    out.end();
  }

  private void storageEngine(CommandContext context, BsonBuilder out) {
    out.appendString("name", "rocksdb");
    out.appendBoolean("supportsCommittedReads", true);
    out.appendBoolean("persistent", true);
    out.appendBoolean("readOnly", store().readOnly().isPresent());
    // Not in MongoDB, which ends its process on a full disk.
    String failure = store().failure();
    if (failure != null) {
      out.appendString("failure", failure);
    }
  }

  private void rocksDb(CommandContext context, BsonBuilder out) {
    store().properties().forEach(out::appendInt64);
  }

  private void sessions(CommandContext context, BsonBuilder out) {
    SessionJob idle = services.sessions().idleJob();
    SessionJob records = services.sessions().recordJob();
    out.appendInt32("activeSessionsCount", services.sessions().count());
    out.appendInt32("sessionsCollectionJobCount", (int) idle.count());
    out.appendInt32("lastSessionsCollectionJobDurationMillis", (int) idle.millis());
    out.appendDate("lastSessionsCollectionJobTimestamp", idle.timestampMillis());
    out.appendInt32("lastSessionsCollectionJobEntriesRefreshed", 0);
    out.appendInt32("lastSessionsCollectionJobEntriesEnded", (int) idle.ended());
    out.appendInt32("lastSessionsCollectionJobCursorsClosed", (int) idle.cursorsClosed());
    out.appendInt32("transactionReaperJobCount", (int) records.count());
    out.appendInt32("lastTransactionReaperJobDurationMillis", (int) records.millis());
    out.appendDate("lastTransactionReaperJobTimestamp", records.timestampMillis());
    out.appendInt32("lastTransactionReaperJobEntriesCleanedUp", (int) records.ended());
    services
        .stored()
        .ifPresent(
            stored ->
                out.appendInt32("sessionCatalogSize", stored.store().retries().sessionsAtWork()));
  }

  private void transactions(CommandContext context, BsonBuilder out) {
    RetryFigures retries = store().retries();
    out.appendInt64("retriedCommandsCount", retries.commands());
    out.appendInt64("retriedStatementsCount", retries.statements());
    out.appendInt64("transactionsCollectionWriteCount", retries.records());
    TransactionFigures figures = services.transactions().figures();
    out.appendInt64("currentActive", figures.active());
    out.appendInt64("currentInactive", figures.inactive());
    out.appendInt64("currentOpen", figures.open());
    out.appendInt64("totalAborted", figures.aborted());
    out.appendInt64("totalCommitted", figures.committed());
    out.appendInt64("totalStarted", figures.started());
    out.appendInt64("totalPrepared", figures.prepared().total());
    out.appendInt64("totalPreparedThenCommitted", figures.prepared().committed());
    out.appendInt64("totalPreparedThenAborted", figures.prepared().aborted());
    out.appendInt64("currentPrepared", figures.prepared().current());
    // Not in MongoDB: what open transactions hold.
    out.appendInt64("currentLatches", figures.latches());
    out.appendInt64("currentSnapshots", figures.snapshots());
    out.appendInt64("currentBufferedBytes", figures.bufferedBytes());
  }

  private static BiConsumer<CommandContext, BsonBuilder> repl(HelloMembership membership) {
    return (context, out) -> {
      membership.append(out, "isWritablePrimary");
      out.appendInt32("rbid", 1);
    };
  }

  private void jvm(CommandContext context, BsonBuilder out) {
    var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    out.appendInt64("heapUsedBytes", heap.getUsed());
    out.appendInt64("heapMaxBytes", heap.getMax());
    out.appendInt32("threads", ManagementFactory.getThreadMXBean().getThreadCount());
  }
}
