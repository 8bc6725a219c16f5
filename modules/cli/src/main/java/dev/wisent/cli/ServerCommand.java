package dev.wisent.cli;

import dev.wisent.base.log.LogFormat;
import dev.wisent.cli.IgnoredOptions.Ignored;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.profile.ProfilingOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads flags, and the configuration file they name, into checked settings. */
final class ServerCommand {
  private static final BigDecimal CACHE_GB_MIN = new BigDecimal("0.25");
  private static final BigDecimal CACHE_GB_MAX = new BigDecimal("10000");
  private static final int PORT_DEFAULT = 27017;
  private static final int SHARD_PORT_DEFAULT = 27018;
  private static final int CONFIG_PORT_DEFAULT = 27019;
  private static final int VERBOSITY_MAX = 5;

  private ServerCommand() {}

  static ServerSettings parse(Program program, List<String> arguments) throws StartException {
    Flags flags = Flags.parse(program, arguments);
    List<Ignored> ignored = new ArrayList<>();
    Optional<String> config = flags.text(ServerFlag.CONFIG);
    if (config.isPresent()) {
      // The file first: of two occurrences of a flag the later one counts.
      ConfigFile file = ConfigFile.read(Path.of(config.get()));
      ignored.addAll(file.ignored());
      List<String> all = new ArrayList<>(file.arguments());
      all.addAll(arguments);
      flags = Flags.parse(program, all);
    }
    ignored.addAll(flags.ignored());
    return settings(program, flags, arguments, ignored);
  }

  private static ServerSettings settings(
      Program program, Flags flags, List<String> arguments, List<Ignored> ignored)
      throws StartException {
    ClusterRole role = clusterRole(flags);
    return new ServerSettings(
        program,
        Path.of(flags.text(ServerFlag.DBPATH).orElse("data")),
        flags.number(ServerFlag.PORT, 0, 65_535).orElse(portDefault(role)),
        flags.number(ServerFlag.PORT, 0, 65_535).isEmpty(),
        bindAddresses(flags),
        flags.on(ServerFlag.IPV6),
        cacheBytes(flags),
        flags.number(ServerFlag.JOURNAL_COMMIT_INTERVAL, 1, 500),
        flags.number(ServerFlag.MAX_CONNS, 5, 1_000_000),
        flags.assignments(ServerFlag.SET_PARAMETER),
        flags.on(ServerFlag.NOTABLESCAN),
        !flags.on(ServerFlag.NOSCRIPTING),
        replicaSet(flags),
        flags.number(ServerFlag.RAFT_PORT, 1, 65_535),
        flags.number(ServerFlag.OPLOG_SIZE, 1, Integer.MAX_VALUE),
        role,
        configDb(program, flags),
        flags.on(ServerFlag.REPAIR),
        logSettings(flags),
        profiling(flags),
        SecuritySettings.of(program, flags),
        flags.text(ServerFlag.PIDFILEPATH).map(Path::of),
        fork(flags),
        ignored,
        arguments);
  }

  private static int portDefault(ClusterRole role) {
    return switch (role) {
      case NONE, ROUTER -> PORT_DEFAULT;
      case SHARD_SERVER -> SHARD_PORT_DEFAULT;
      case CONFIG_SERVER -> CONFIG_PORT_DEFAULT;
    };
  }

  private static ClusterRole clusterRole(Flags flags) throws StartException {
    boolean shard = flags.on(ServerFlag.SHARDSVR);
    boolean config = flags.on(ServerFlag.CONFIGSVR);
    if (shard && config) {
      throw StartException.badOption("--shardsvr and --configsvr exclude each other");
    }
    if ((shard || config) && flags.text(ServerFlag.REPL_SET).isEmpty()) {
      throw StartException.badOption(
          (shard ? "--shardsvr" : "--configsvr")
              + " needs --replSet: it is a replica set's member");
    }
    if (shard) {
      return ClusterRole.SHARD_SERVER;
    }
    return config ? ClusterRole.CONFIG_SERVER : ClusterRole.NONE;
  }

  private static Optional<String> configDb(Program program, Flags flags) throws StartException {
    Optional<String> given = flags.text(ServerFlag.CONFIGDB);
    if (program != Program.ROUTER) {
      return given;
    }
    if (given.isEmpty()) {
      throw StartException.badOption(
          "--configdb is needed: SET/HOST:PORT,... of the config servers");
    }
    int slash = given.get().indexOf('/');
    if (slash <= 0 || slash == given.get().length() - 1) {
      throw StartException.badOption(
          "--configdb names a replica set, as in cfg/"
              + given.get().substring(slash + 1)
              + " with the name of yours; mirrored config servers are not supported");
    }
    return given;
  }

  private static ProfilingOptions profiling(Flags flags) throws StartException {
    ProfilingOptions defaults = ProfilingOptions.DEFAULTS;
    return new ProfilingOptions(
        flags.number(ServerFlag.PROFILE, 0, 2).orElse(defaults.level()),
        flags.number(ServerFlag.SLOWMS, -1, Integer.MAX_VALUE).orElse(defaults.slowMillis()),
        flags.fraction(ServerFlag.SLOW_OP_SAMPLE_RATE).orElse(defaults.sampleRate()),
        flags.text(ServerFlag.PROFILE_FILTER));
  }

  private static ServerSettings.Fork fork(Flags flags) throws StartException {
    if (flags.on(ServerFlag.FORKED)) {
      return ServerSettings.Fork.CHILD;
    }
    if (!flags.on(ServerFlag.FORK)) {
      return ServerSettings.Fork.NONE;
    }
    if (flags.text(ServerFlag.LOGPATH).isEmpty()) {
      throw StartException.badOption("--fork has to be used with --logpath");
    }
    return ServerSettings.Fork.PARENT;
  }

  private static Optional<String> replicaSet(Flags flags) throws StartException {
    Optional<String> name = flags.text(ServerFlag.REPL_SET);
    if (name.isPresent() && name.get().isBlank()) {
      throw StartException.badOption("--replSet needs a name");
    }
    if (name.isEmpty() && flags.text(ServerFlag.RAFT_PORT).isPresent()) {
      throw StartException.badOption("--raftPort needs --replSet");
    }
    return name;
  }

  private static ServerSettings.LogSettings logSettings(Flags flags) throws StartException {
    Optional<Path> path = flags.text(ServerFlag.LOGPATH).map(Path::of);
    boolean append = flags.on(ServerFlag.LOGAPPEND);
    if (append && path.isEmpty()) {
      throw StartException.badOption("--logappend needs --logpath");
    }
    int verbosity = Math.min(flags.count(ServerFlag.VERBOSE), VERBOSITY_MAX);
    return new ServerSettings.LogSettings(
        path, append, verbosity, flags.on(ServerFlag.QUIET), logFormat(flags));
  }

  private static Optional<LogFormat> logFormat(Flags flags) throws StartException {
    Optional<String> name = flags.text(ServerFlag.LOG_FORMAT);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    return switch (name.get()) {
      case "json" -> Optional.of(LogFormat.JSON);
      case "text" -> Optional.of(LogFormat.TEXT);
      default ->
          throw StartException.badOption(
              "--logFormat must be json or text, not '" + name.get() + "'");
    };
  }

  private static List<String> bindAddresses(Flags flags) throws StartException {
    Optional<String> list = flags.text(ServerFlag.BIND_IP);
    boolean ipv6 = flags.on(ServerFlag.IPV6);
    if (flags.on(ServerFlag.BIND_IP_ALL)) {
      if (list.isPresent()) {
        throw StartException.badOption("--bind_ip and --bind_ip_all exclude each other");
      }
      return List.of(ipv6 ? "::" : "0.0.0.0");
    }
    if (list.isEmpty()) {
      return ipv6 ? List.of("localhost", "::1") : List.of("localhost");
    }
    List<String> addresses = new ArrayList<>();
    for (String address : list.get().split(",", -1)) {
      addresses.add(bindAddress(address.trim(), list.get()));
    }
    return addresses;
  }

  private static String bindAddress(String address, String list) throws StartException {
    if (address.isEmpty()) {
      throw StartException.badOption("--bind_ip has an empty address in '" + list + "'");
    }
    if (address.startsWith("/")) {
      throw StartException.badOption(
          "--bind_ip " + address + " is not supported: the server listens on TCP only");
    }
    return address.equals("*") ? "0.0.0.0" : address;
  }

  private static Optional<Long> cacheBytes(Flags flags) throws StartException {
    Optional<String> text = flags.text(ServerFlag.CACHE_SIZE_GB);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    BigDecimal gigabytes;
    try {
      gigabytes = new BigDecimal(text.get());
    } catch (NumberFormatException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, "--cacheSizeGB must be a number, not '" + text.get() + "'", e);
    }
    // mongod's bounds.
    if (gigabytes.compareTo(CACHE_GB_MIN) < 0 || gigabytes.compareTo(CACHE_GB_MAX) > 0) {
      throw StartException.badOption(
          "--cacheSizeGB must be from " + CACHE_GB_MIN + " to " + CACHE_GB_MAX);
    }
    return Optional.of(gigabytes.multiply(new BigDecimal(1L << 30)).longValue());
  }
}
