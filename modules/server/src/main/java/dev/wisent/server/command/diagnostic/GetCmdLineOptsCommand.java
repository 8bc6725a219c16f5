package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.profile.ProfilingOptions;
import java.util.List;

/** {@code getCmdLineOpts}: how the server was started. */
public final class GetCmdLineOptsCommand implements Command {
  /** By level. */
  private static final List<String> MODES = List.of("off", "slowOp", "all");

  private final ServerOptions options;

  public GetCmdLineOptsCommand(ServerOptions options) {
    this.options = options;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    reply.startArray("argv");
    for (int i = 0; i < options.argv().size(); i++) {
      reply.appendString(Integer.toString(i), options.argv().get(i));
    }
    reply.end();
    reply.startDocument("parsed");
    append(options, reply);
    reply.end();
  }

  /** As {@link #append} has them. */
  public static RawDocument document(ServerOptions options) {
    var out = new BsonBuilder();
    append(options, out);
    return out.toDocument();
  }

  /** The options that differ from the defaults, which {@code local.startup_log} has too. */
  public static void append(ServerOptions options, BsonBuilder reply) {
    reply.startDocument("net");
    reply.appendString("bindIp", String.join(",", options.bindAddresses()));
    reply.appendInt32("port", options.port());
    SecurityOptionsDocument.appendTls(options.tls(), reply);
    reply.end();
    SecurityOptionsDocument.appendSections(options, reply);
    if (options.configDb().isPresent()) {
      appendRouter(options.configDb().get(), reply);
    } else {
      appendNode(options, reply);
    }
    appendAudit(options, reply);
    ProfilingOptions profiling = options.profiling();
    if (!profiling.equals(ProfilingOptions.DEFAULTS)) {
      reply.startDocument("operationProfiling");
      reply.appendString("mode", MODES.get(profiling.level()));
      reply.appendInt32("slowOpThresholdMs", profiling.slowMillis());
      reply.appendDouble("slowOpSampleRate", profiling.sampleRate());
      profiling.filter().ifPresent(filter -> reply.appendString("filter", filter));
      reply.end();
    }
    if (!options.setParameters().isEmpty()) {
      reply.startDocument("setParameter");
      options.setParameters().forEach(reply::appendString);
      reply.end();
    }
  }

  private static void appendAudit(ServerOptions options, BsonBuilder reply) {
    AuditOptions audit = options.audit();
    if (audit.isOn()) {
      reply.startDocument("auditLog");
      reply.appendString("destination", audit.destination().toString());
      audit
          .path()
          .ifPresent(
              path -> reply.appendString("format", "JSON").appendString("path", path.toString()));
      audit.filter().ifPresent(filter -> reply.appendString("filter", filter.toJson()));
      reply.end();
    }
  }

  private static void appendRouter(String configDb, BsonBuilder reply) {
    reply.startDocument("sharding").appendString("configDB", configDb).end();
  }

  private static void appendNode(ServerOptions options, BsonBuilder reply) {
    reply.startDocument("storage").appendString("dbPath", options.dbPath().toString()).end();
    options
        .replicaSet()
        .ifPresent(name -> reply.startDocument("replication").appendString("replSet", name).end());
    if (options.clusterRole() != ClusterRole.NONE) {
      reply.startDocument("sharding");
      reply.appendString("clusterRole", options.clusterRole().optionValue());
      reply.end();
    }
  }
}
