package dev.wisent.server.command.diagnostic;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.ServerVersion;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;

/** {@code buildInfo}: MongoDB's version for clients to decide by, and Wisent's own beside it. */
public final class BuildInfoCommand implements Command {
  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    append(reply);
  }

  /** The fields of the reply, which {@code local.startup_log} has too. */
  public static void append(BsonBuilder reply) {
    reply.appendString("version", ServerVersion.COMPATIBLE_WITH);
    reply.appendString("gitVersion", ServerVersion.GIT);
    reply.startDocument("wisent");
    reply.appendString("version", ServerVersion.WISENT);
    reply.appendString("license", "Apache-2.0");
    reply.end();
    reply.startArray("modules").end();
    reply.appendString("allocator", "jvm");
    reply.appendString("javascriptEngine", "graaljs");
    reply.appendString("sysInfo", "deprecated");
    reply.startArray("versionArray");
    String[] parts = ServerVersion.COMPATIBLE_WITH.split("\\.");
    for (int i = 0; i < parts.length; i++) {
      reply.appendInt32(Integer.toString(i), Integer.parseInt(parts[i]));
    }
    reply.appendInt32("3", 0);
    reply.end();
    reply.startDocument("openssl").appendString("running", "jdk").end();
    reply.startDocument("buildEnvironment");
    reply.appendString("target_arch", System.getProperty("os.arch"));
    reply.appendString(
        "target_os", System.getProperty("os.name").toLowerCase(java.util.Locale.ROOT));
    reply.appendString("java", Runtime.version().toString());
    reply.end();
    reply.appendInt32("bits", 64);
    reply.appendBoolean("debug", false);
    reply.appendInt32("maxBsonObjectSize", Limits.DOCUMENT_BYTES_MAX);
    reply.startArray("storageEngines").appendString("0", "rocksdb").end();
  }
}
