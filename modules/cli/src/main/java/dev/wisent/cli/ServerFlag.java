package dev.wisent.cli;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The flags of {@code wisent server} and {@code wisent router}, named as {@code mongod} and {@code
 * mongos} name them, in the help's order.
 */
enum ServerFlag {
  CONFIG("FILE", "settings in mongod's YAML format; flags take precedence", "--config", "-f"),
  DBPATH("DIR", "where the data is; created if missing (default: ./data)", "--dbpath"),
  PORT("N", "TCP port, 0 for any free one (default: 27017)", "--port"),
  BIND_IP("LIST", "addresses or host names to listen on (default: localhost)", "--bind_ip"),
  BIND_IP_ALL(null, "listen on every address of this machine", "--bind_ip_all"),
  IPV6(null, "listen on the IPv6 addresses of names too", "--ipv6"),
  MAX_CONNS("N", "the most connections at a time", "--maxConns"),
  LOGPATH("FILE", "log to a file", "--logpath"),
  LOGAPPEND(null, "go on at the end of that file instead of renaming it", "--logappend"),
  LOG_FORMAT("FORMAT", "json or text (default: text at a terminal, else json)", "--logFormat"),
  VERBOSE(null, "more log output; -vv to -vvvvv for yet more", "-v", "--verbose"),
  QUIET(null, "do not log connections that come and go", "--quiet"),
  CACHE_SIZE_GB(
      "GB", "memory for cached data, such as 0.5", "--cacheSizeGB", "--wiredTigerCacheSizeGB"),
  JOURNAL_COMMIT_INTERVAL(
      "MS",
      "how long a write without j:true may stay off the disk, 1 to 500 (default: 100)",
      "--journalCommitInterval"),
  SET_PARAMETER("NAME=VALUE", "a server parameter; may be repeated", "--setParameter"),
  REPL_SET("NAME", "be a member of the replica set of that name", "--replSet"),
  RAFT_PORT(
      "N",
      "TCP port for the other members' log (default: any free one, and then always that)",
      "--raftPort"),
  OPLOG_SIZE(
      "MB",
      "how large a new set's oplog may become (default: 5 % of the free space)",
      "--oplogSize"),
  SHARDSVR(null, "be a shard's member; needs --replSet (default port: 27018)", "--shardsvr"),
  CONFIGSVR(null, "be a config server; needs --replSet (default port: 27019)", "--configsvr"),
  CONFIGDB("SET/HOSTS", "the config servers, such as cfg/a:27019,b:27019", "--configdb"),
  AUTH(null, "let clients do what they have privileges for, after a login", "--auth"),
  NOAUTH(null, null, "--noauth"),
  KEY_FILE("FILE", "the keys by which members of a cluster know each other", "--keyFile"),
  CLUSTER_AUTH_MODE(
      "MODE",
      "by what members log in: keyFile, sendKeyFile, sendX509 or x509",
      "--clusterAuthMode"),
  TRANSITION_TO_AUTH(
      null,
      "log in at members, but let in who does not: for a rolling change",
      "--transitionToAuth"),
  TLS_MODE("MODE", "encrypt connections: disabled, allowTLS, preferTLS or requireTLS", "--tlsMode"),
  TLS_CERTIFICATE_KEY_FILE(
      "FILE", "PEM file with this server's certificate and its key", "--tlsCertificateKeyFile"),
  TLS_CERTIFICATE_KEY_FILE_PASSWORD(
      "PASSWORD", "of the key in that file", "--tlsCertificateKeyFilePassword"),
  TLS_CLUSTER_FILE(
      "FILE", "PEM file with the certificate for members (default: the same)", "--tlsClusterFile"),
  TLS_CLUSTER_PASSWORD("PASSWORD", "of the key in that file", "--tlsClusterPassword"),
  TLS_CA_FILE("FILE", "PEM file with those that sign certificates", "--tlsCAFile"),
  TLS_CLUSTER_CA_FILE(
      "FILE", "those that sign certificates of clients, if they are others", "--tlsClusterCAFile"),
  TLS_CRL_FILE("FILE", "PEM file with certificates that were revoked", "--tlsCRLFile"),
  TLS_ALLOW_CONNECTIONS_WITHOUT_CERTIFICATES(
      null, "clients need no certificate", "--tlsAllowConnectionsWithoutCertificates"),
  TLS_ALLOW_INVALID_CERTIFICATES(
      null, "encrypt with any certificate, valid or not", "--tlsAllowInvalidCertificates"),
  TLS_ALLOW_INVALID_HOSTNAMES(
      null, "certificates of members may name other hosts", "--tlsAllowInvalidHostnames"),
  TLS_DISABLED_PROTOCOLS(
      "LIST", "of TLS1_2 and TLS1_3; older ones are always off", "--tlsDisabledProtocols"),
  AUDIT_DESTINATION("PLACE", "record what is done: file or console", "--auditDestination"),
  AUDIT_FORMAT("FORMAT", "JSON, which is the only one", "--auditFormat"),
  AUDIT_PATH("FILE", "where to record it", "--auditPath"),
  AUDIT_FILTER("FILTER", "which events to record, as a query", "--auditFilter"),
  REDACT_CLIENT_LOG_DATA(null, "keep values of clients out of the log", "--redactClientLogData"),
  NOTABLESCAN(null, "refuse queries that no index serves", "--notablescan"),
  NOSCRIPTING(null, "refuse $where and other functions in JavaScript", "--noscripting"),
  REPAIR(null, "accept that the end of a damaged log is lost, and stop", "--repair"),
  PROFILE("LEVEL", "what goes to system.profile: 0 nothing, 1 slow operations, 2 all", "--profile"),
  SLOWMS("MS", "from how long on an operation is slow (default: 100)", "--slowms"),
  SLOW_OP_SAMPLE_RATE(
      "RATE", "which part of the slow operations is reported, 0 to 1", "--slowOpSampleRate"),
  FORK(null, "serve in a process of its own, once it is ready; needs --logpath", "--fork"),
  PIDFILEPATH("FILE", "write the process id there", "--pidfilepath"),
  HELP(null, "show this help", "--help", "-h"),
  VERSION(null, "show the version", "--version"),

  /** In the process that {@code --fork} makes. */
  FORKED(null, null, "--forked"),

  /** Which operations are profiled, in place of slow ones; of configuration files only. */
  PROFILE_FILTER("FILTER", null, "--profileFilter"),

  /** A journal is what there is; people's scripts may ask for it. */
  ALREADY_SO(null, null, "--journal", "--nounixsocket");

  private static final int HELP_COLUMN = 28;

  private static final Set<ServerFlag> OF_SERVERS =
      EnumSet.of(
          DBPATH,
          CACHE_SIZE_GB,
          JOURNAL_COMMIT_INTERVAL,
          REPL_SET,
          RAFT_PORT,
          OPLOG_SIZE,
          SHARDSVR,
          CONFIGSVR,
          NOTABLESCAN,
          REPAIR,
          PROFILE,
          PROFILE_FILTER);

  private final String label;
  private final String help;
  private final List<String> names;

  ServerFlag(String label, String help, String... names) {
    this.label = label;
    this.help = help;
    this.names = List.of(names);
  }

  /** How messages call it. */
  String displayName() {
    return names.getFirst();
  }

  /** Whether the value of a name is for no other eyes. */
  static boolean isSecret(String name) {
    return TLS_CERTIFICATE_KEY_FILE_PASSWORD.names.contains(name)
        || TLS_CLUSTER_PASSWORD.names.contains(name);
  }

  /** Whether a value follows. */
  boolean takesValue() {
    return label != null;
  }

  static Optional<ServerFlag> find(Program program, String name) {
    return Arrays.stream(values())
        .filter(flag -> flag.isOf(program) && flag.names.contains(name))
        .findFirst();
  }

  private boolean isOf(Program program) {
    return switch (program) {
      case SERVER -> this != CONFIGDB;
      case ROUTER -> !OF_SERVERS.contains(this);
    };
  }

  /** The text for {@code --help}. */
  static String usage(Program program) {
    StringBuilder text = new StringBuilder("Usage: wisent " + program.command() + " [FLAGS]\n\n");
    text.append(program.purpose()).append("\n\n");
    for (ServerFlag flag : values()) {
      if (flag.help != null && flag.isOf(program)) {
        text.append(flag.usageLine());
      }
    }
    return text.toString();
  }

  /** The short and the long name, where there are both; older long names are not shown. */
  private List<String> namesInHelp() {
    Optional<String> shortName = names.stream().filter(name -> !name.startsWith("--")).findFirst();
    Optional<String> longName = names.stream().filter(name -> name.startsWith("--")).findFirst();
    return Stream.concat(shortName.stream(), longName.stream()).toList();
  }

  /** The line of {@code --help}; empty for what is not shown there. */
  String usageLine() {
    if (help == null) {
      return "";
    }
    String left = String.join(", ", namesInHelp()) + (takesValue() ? " " + label : "");
    // Two spaces separate the columns, or a new line where the left one is full.
    return left.length() < HELP_COLUMN
        ? String.format("  %-" + HELP_COLUMN + "s %s%n", left, help)
        : String.format("  %s%n%s%s%n", left, " ".repeat(HELP_COLUMN + 3), help);
  }
}
