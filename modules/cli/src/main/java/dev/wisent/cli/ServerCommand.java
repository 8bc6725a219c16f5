package dev.wisent.cli;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The flags of {@code wisent server}, named as {@code mongod} names them. */
@Command(
    name = "server",
    description = "Runs a data-bearing node, as mongod does.",
    sortOptions = false,
    usageHelpAutoWidth = true)
final class ServerCommand {
  private static final BigDecimal CACHE_GB_MIN = new BigDecimal("0.25");
  private static final BigDecimal CACHE_GB_MAX = new BigDecimal("10000");

  @Option(
      names = {"-f", "--config"},
      paramLabel = "FILE",
      description = "Settings in mongod's YAML format; flags take precedence.")
  Path config;

  @Option(
      names = "--dbpath",
      paramLabel = "DIR",
      description = "Where the data is; created if missing (default: ./data).")
  Path dbpath = Path.of("data");

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "TCP port, 0 for any free one (default: ${DEFAULT-VALUE}).")
  int port = 27017;

  @Option(
      names = "--bind_ip",
      paramLabel = "LIST",
      description = "Addresses or host names to listen on, with commas (default: localhost).")
  String bindIp;

  @Option(names = "--bind_ip_all", description = "Listen on every address of this machine.")
  boolean bindIpAll;

  @Option(names = "--ipv6", description = "With --bind_ip_all or localhost: IPv6 too.")
  boolean ipv6;

  @Option(
      names = "--maxConns",
      paramLabel = "N",
      description = "The most connections at a time.")
  Integer maxConns;

  @Option(names = "--logpath", paramLabel = "FILE", description = "Log to a file.")
  Path logpath;

  @Option(
      names = "--logappend",
      description = "Go on at the end of that file instead of renaming it.")
  boolean logappend;

  @Option(
      names = "-v",
      description = "More log output; -vv to -vvvvv for yet more.")
  boolean[] verbosity = {};

  @Option(names = "--quiet", description = "Do not log connections that come and go.")
  boolean quiet;

  @Option(
      names = {"--cacheSizeGB", "--wiredTigerCacheSizeGB"},
      paramLabel = "GB",
      description = "Memory for cached data, such as 0.5.")
  String cacheSizeGb;

  @Option(
      names = "--journalCommitInterval",
      paramLabel = "MS",
      description = "How long a write without j:true may stay off the disk, 1 to 500.")
  Integer journalCommitInterval;

  @Option(
      names = "--setParameter",
      paramLabel = "NAME=VALUE",
      description = "A server parameter; may be repeated.")
  Map<String, String> parameters = new LinkedHashMap<>();

  @Option(names = "--notablescan", description = "Refuse queries that no index serves.")
  boolean notablescan;

  @Option(
      names = "--noscripting",
      description = "No server-side JavaScript (there is none in this version).")
  boolean noscripting;

  @Option(names = "--pidfilepath", paramLabel = "FILE", description = "Write the process id there.")
  Path pidfilepath;

  /** No authentication and a journal are what there is; people's scripts may ask for them. */
  @Option(
      names = {"--noauth", "--journal", "--nounixsocket"},
      hidden = true)
  boolean alreadySo;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = "--version",
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  /** Reads flags, and the configuration file they name, into validated settings. */
  static ServerSettings parse(List<String> arguments) throws StartException {
    ServerCommand command = parseFlags(arguments);
    if (command.config != null && !command.help && !command.version) {
      // The file first: of two occurrences of a flag the later one counts.
      List<String> all = new ArrayList<>(ConfigFile.arguments(command.config));
      all.addAll(arguments);
      command = parseFlags(all);
    }
    return command.settings(arguments);
  }

  private static ServerCommand parseFlags(List<String> arguments) throws StartException {
    UnsupportedOptions.check(arguments);
    ServerCommand command = new ServerCommand();
    try {
      commandLine(command).parseArgs(arguments.toArray(String[]::new));
    } catch (CommandLine.ParameterException e) {
      throw new StartException(ExitCode.BAD_OPTIONS, e.getMessage(), e);
    }
    return command;
  }

  static CommandLine commandLine(ServerCommand command) {
    return new CommandLine(command)
        .setOverwrittenOptionsAllowed(true)
        .setCommandName("wisent server");
  }

  private ServerSettings settings(List<String> arguments) throws StartException {
    requireRange("--port", port, 0, 65_535);
    requireRange("--maxConns", maxConns, 5, 1_000_000);
    requireRange("--journalCommitInterval", journalCommitInterval, 1, 500);
    if (bindIp != null && bindIpAll) {
      throw StartException.badOption("--bind_ip and --bind_ip_all exclude each other");
    }
    if (logappend && logpath == null) {
      throw StartException.badOption("--logappend needs --logpath");
    }
    return new ServerSettings(
        dbpath,
        port,
        bindAddresses(),
        cacheBytes(),
        Optional.ofNullable(journalCommitInterval),
        Optional.ofNullable(maxConns),
        parameters,
        notablescan,
        new ServerSettings.LogSettings(
            Optional.ofNullable(logpath), logappend, Math.min(verbosity.length, 5), quiet),
        Optional.ofNullable(pidfilepath),
        arguments);
  }

  private List<String> bindAddresses() throws StartException {
    if (bindIpAll) {
      return List.of(ipv6 ? "::" : "0.0.0.0");
    }
    if (bindIp == null) {
      return ipv6 ? List.of("localhost", "::1") : List.of("localhost");
    }
    List<String> addresses = new ArrayList<>();
    for (String address : bindIp.split(",", -1)) {
      String trimmed = address.trim();
      if (trimmed.isEmpty()) {
        throw StartException.badOption("--bind_ip has an empty address in '" + bindIp + "'");
      }
      if (trimmed.startsWith("/")) {
        throw StartException.badOption(
            "--bind_ip " + trimmed + " is not supported: the server listens on TCP only");
      }
      addresses.add(trimmed.equals("*") ? "0.0.0.0" : trimmed);
    }
    return addresses;
  }

  private Optional<Long> cacheBytes() throws StartException {
    if (cacheSizeGb == null) {
      return Optional.empty();
    }
    BigDecimal gigabytes;
    try {
      gigabytes = new BigDecimal(cacheSizeGb);
    } catch (NumberFormatException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, "--cacheSizeGB '" + cacheSizeGb + "' is not a number", e);
    }
    // mongod's bounds.
    if (gigabytes.compareTo(CACHE_GB_MIN) < 0 || gigabytes.compareTo(CACHE_GB_MAX) > 0) {
      throw StartException.badOption(
          "--cacheSizeGB must be from " + CACHE_GB_MIN + " to " + CACHE_GB_MAX);
    }
    return Optional.of(gigabytes.multiply(new BigDecimal(1L << 30)).longValue());
  }

  private static void requireRange(String flag, Integer value, int min, int max)
      throws StartException {
    if (value != null && (value < min || value > max)) {
      throw StartException.badOption(flag + " must be from " + min + " to " + max);
    }
  }
}
