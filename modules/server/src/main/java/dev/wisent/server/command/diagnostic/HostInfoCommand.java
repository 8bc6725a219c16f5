package dev.wisent.server.command.diagnostic;

import com.sun.management.OperatingSystemMXBean;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.lang.management.ManagementFactory;

/** {@code hostInfo}: the machine as the JVM sees it. */
public final class HostInfoCommand implements Command {
  private static final long MEGABYTE = 1 << 20;

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    int memoryMegabytes = (int) (system.getTotalMemorySize() / MEGABYTE);
    reply.startDocument("system");
    reply.appendDate("currentTime", context.operation().clock().wallMillis());
    reply.appendString("hostname", HostNames.local());
    reply.appendInt32("cpuAddrSize", 64);
    reply.appendInt32("memSizeMB", memoryMegabytes);
    reply.appendInt32("memLimitMB", memoryMegabytes);
    reply.appendInt32("numCores", Runtime.getRuntime().availableProcessors());
    reply.appendInt32("numCoresAvailableToProcess", Runtime.getRuntime().availableProcessors());
    reply.appendString("cpuArch", cpuArchitecture());
    reply.appendBoolean("numaEnabled", false);
    reply.end();
    reply.startDocument("os");
    reply.appendString("type", System.getProperty("os.name"));
    reply.appendString("name", System.getProperty("os.name"));
    reply.appendString("version", System.getProperty("os.version"));
    reply.end();
    reply.startDocument("extra");
    reply.appendString("versionString", System.getProperty("os.version"));
    reply.appendString("kernelVersion", System.getProperty("os.version"));
    reply.appendString("java", Runtime.version().toString());
    reply.end();
  }

  private static String cpuArchitecture() {
    String name = System.getProperty("os.arch");
    return name.equals("amd64") ? "x86_64" : name;
  }
}
