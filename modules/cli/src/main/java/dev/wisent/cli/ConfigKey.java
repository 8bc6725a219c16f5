package dev.wisent.cli;

import java.util.List;
import java.util.Optional;

/**
 * One setting of a configuration file and the flag that means the same.
 *
 * @param key its dotted name; an asterisk at the end stands for everything below
 * @param flag the flag
 * @param kind how the value becomes the flag's
 */
record ConfigKey(String key, String flag, Kind kind) {
  /** What a setting's value looks like. */
  enum Kind {
    /** {@code --flag value}. */
    VALUE("a value"),
    /** {@code --flag} when true, nothing when false. */
    SWITCH("true or false"),
    /** Nothing when true, {@code --flag} when false. */
    NEGATED("true or false"),
    /** {@code --flag} when "enabled", nothing when "disabled". */
    ENABLED("enabled or disabled"),
    /** As many {@code v}s as the number says. */
    VERBOSITY("a number from 0 to 5"),
    /** {@code off}, {@code slowOp} or {@code all}, as a level. */
    PROFILING_MODE("off, slowOp or all"),
    /** {@code shardsvr} or {@code configsvr}, each a flag. */
    CLUSTER_ROLE("shardsvr or configsvr"),
    /** {@code file}, which needs no flag, or {@code syslog}. */
    DESTINATION("file");

    private final String expected;

    Kind(String expected) {
      this.expected = expected;
    }
  }

  private static final List<ConfigKey> ROWS =
      List.of(
          new ConfigKey("net.port", "--port", Kind.VALUE),
          new ConfigKey("net.bindIp", "--bind_ip", Kind.VALUE),
          new ConfigKey("net.bindIpAll", "--bind_ip_all", Kind.SWITCH),
          new ConfigKey("net.ipv6", "--ipv6", Kind.SWITCH),
          new ConfigKey("net.maxIncomingConnections", "--maxConns", Kind.VALUE),
          new ConfigKey("net.tls.mode", "--tlsMode", Kind.VALUE),
          new ConfigKey("net.tls.certificateKeyFile", "--tlsCertificateKeyFile", Kind.VALUE),
          new ConfigKey(
              "net.tls.certificateKeyFilePassword", "--tlsCertificateKeyFilePassword", Kind.VALUE),
          new ConfigKey("net.tls.certificateSelector", "--tlsCertificateSelector", Kind.VALUE),
          new ConfigKey("net.tls.clusterFile", "--tlsClusterFile", Kind.VALUE),
          new ConfigKey("net.tls.clusterPassword", "--tlsClusterPassword", Kind.VALUE),
          new ConfigKey(
              "net.tls.clusterCertificateSelector", "--tlsClusterCertificateSelector", Kind.VALUE),
          new ConfigKey("net.tls.CAFile", "--tlsCAFile", Kind.VALUE),
          new ConfigKey("net.tls.clusterCAFile", "--tlsClusterCAFile", Kind.VALUE),
          new ConfigKey("net.tls.CRLFile", "--tlsCRLFile", Kind.VALUE),
          new ConfigKey(
              "net.tls.allowConnectionsWithoutCertificates",
              "--tlsAllowConnectionsWithoutCertificates",
              Kind.SWITCH),
          new ConfigKey(
              "net.tls.allowInvalidCertificates", "--tlsAllowInvalidCertificates", Kind.SWITCH),
          new ConfigKey("net.tls.allowInvalidHostnames", "--tlsAllowInvalidHostnames", Kind.SWITCH),
          new ConfigKey("net.tls.disabledProtocols", "--tlsDisabledProtocols", Kind.VALUE),
          new ConfigKey("net.tls.FIPSMode", "--tlsFIPSMode", Kind.SWITCH),
          new ConfigKey("net.tls.*", "--tlsLogVersions", Kind.VALUE),
          new ConfigKey("net.ssl.mode", "--sslMode", Kind.VALUE),
          new ConfigKey("net.ssl.PEMKeyFile", "--sslPEMKeyFile", Kind.VALUE),
          new ConfigKey("net.ssl.PEMKeyPassword", "--sslPEMKeyPassword", Kind.VALUE),
          new ConfigKey("net.ssl.clusterFile", "--sslClusterFile", Kind.VALUE),
          new ConfigKey("net.ssl.clusterPassword", "--sslClusterPassword", Kind.VALUE),
          new ConfigKey("net.ssl.CAFile", "--sslCAFile", Kind.VALUE),
          new ConfigKey("net.ssl.clusterCAFile", "--sslClusterCAFile", Kind.VALUE),
          new ConfigKey("net.ssl.CRLFile", "--sslCRLFile", Kind.VALUE),
          new ConfigKey("net.ssl.disabledProtocols", "--sslDisabledProtocols", Kind.VALUE),
          new ConfigKey("net.ssl.*", "--sslAllow", Kind.VALUE),
          new ConfigKey("storage.dbPath", "--dbpath", Kind.VALUE),
          new ConfigKey("storage.journal.enabled", "--nojournal", Kind.NEGATED),
          new ConfigKey("storage.journal.commitIntervalMs", "--journalCommitInterval", Kind.VALUE),
          new ConfigKey("storage.engine", "--storageEngine", Kind.VALUE),
          new ConfigKey("storage.wiredTiger.engineConfig.cacheSizeGB", "--cacheSizeGB", Kind.VALUE),
          new ConfigKey("storage.cacheSizeGB", "--cacheSizeGB", Kind.VALUE),
          new ConfigKey("systemLog.destination", "--syslog", Kind.DESTINATION),
          new ConfigKey("systemLog.path", "--logpath", Kind.VALUE),
          new ConfigKey("systemLog.logAppend", "--logappend", Kind.SWITCH),
          new ConfigKey("systemLog.quiet", "--quiet", Kind.SWITCH),
          new ConfigKey("systemLog.logFormat", "--logFormat", Kind.VALUE),
          new ConfigKey("systemLog.verbosity", "-v", Kind.VERBOSITY),
          new ConfigKey("processManagement.pidFilePath", "--pidfilepath", Kind.VALUE),
          new ConfigKey("processManagement.fork", "--fork", Kind.SWITCH),
          new ConfigKey("operationProfiling.mode", "--profile", Kind.PROFILING_MODE),
          new ConfigKey("operationProfiling.slowOpThresholdMs", "--slowms", Kind.VALUE),
          new ConfigKey("operationProfiling.slowOpSampleRate", "--slowOpSampleRate", Kind.VALUE),
          new ConfigKey("operationProfiling.filter", "--profileFilter", Kind.VALUE),
          new ConfigKey("security.authorization", "--auth", Kind.ENABLED),
          new ConfigKey("security.keyFile", "--keyFile", Kind.VALUE),
          new ConfigKey("security.clusterAuthMode", "--clusterAuthMode", Kind.VALUE),
          new ConfigKey("security.transitionToAuth", "--transitionToAuth", Kind.SWITCH),
          new ConfigKey("security.redactClientLogData", "--redactClientLogData", Kind.SWITCH),
          new ConfigKey("security.javascriptEnabled", "--noscripting", Kind.NEGATED),
          new ConfigKey("security.ldap.*", "--ldap", Kind.VALUE),
          new ConfigKey("security.sasl.*", "--sasl", Kind.VALUE),
          new ConfigKey(
              "security.clusterIpSourceAllowlist", "--clusterIpSourceAllowlist", Kind.VALUE),
          new ConfigKey("security.*", "--enableEncryption", Kind.VALUE),
          new ConfigKey("replication.replSetName", "--replSet", Kind.VALUE),
          new ConfigKey("replication.replSet", "--replSet", Kind.VALUE),
          new ConfigKey("replication.raftPort", "--raftPort", Kind.VALUE),
          new ConfigKey("replication.oplogSizeMB", "--oplogSize", Kind.VALUE),
          new ConfigKey("replication.*", "--enableMajorityReadConcern", Kind.VALUE),
          new ConfigKey("sharding.clusterRole", "", Kind.CLUSTER_ROLE),
          new ConfigKey("sharding.configDB", "--configdb", Kind.VALUE),
          new ConfigKey("sharding.*", "--archiveMovedChunks", Kind.VALUE),
          new ConfigKey("auditLog.destination", "--auditDestination", Kind.VALUE),
          new ConfigKey("auditLog.format", "--auditFormat", Kind.VALUE),
          new ConfigKey("auditLog.path", "--auditPath", Kind.VALUE),
          new ConfigKey("auditLog.filter", "--auditFilter", Kind.VALUE),
          new ConfigKey("auditLog.*", "--auditRuntimeConfiguration", Kind.VALUE));

  static List<ConfigKey> all() {
    return ROWS;
  }

  static Optional<ConfigKey> find(String name) {
    return ROWS.stream().filter(row -> row.matches(name)).findFirst();
  }

  private boolean matches(String name) {
    return key.endsWith("*")
        ? name.startsWith(key.substring(0, key.length() - 1))
        : name.equals(key);
  }

  /** The flags for a value; empty when the value does not fit. */
  Optional<List<String>> flags(Object value) {
    return switch (kind) {
      case VALUE ->
          value instanceof List<?>
              ? Optional.empty()
              : Optional.of(List.of(flag, value.toString()));
      case SWITCH -> value instanceof Boolean on ? flagIf(on) : Optional.empty();
      case NEGATED -> value instanceof Boolean on ? flagIf(!on) : Optional.empty();
      case ENABLED ->
          value.equals("enabled") || value.equals("disabled")
              ? flagIf(value.equals("enabled"))
              : Optional.empty();
      case VERBOSITY ->
          value instanceof Integer level && level >= 0 && level <= 5
              ? Optional.of(level == 0 ? List.of() : List.of("-" + "v".repeat(level)))
              : Optional.empty();
      case PROFILING_MODE -> profilingLevel(value).map(level -> List.of(flag, level));
      case CLUSTER_ROLE ->
          value.equals("shardsvr") || value.equals("configsvr")
              ? Optional.of(List.of("--" + value))
              : Optional.empty();
      case DESTINATION ->
          value.equals("file") || value.equals("syslog")
              ? flagIf(value.equals("syslog"))
              : Optional.empty();
    };
  }

  /** YAML reads a plain {@code off} as false. */
  private static Optional<String> profilingLevel(Object mode) {
    return switch (mode.toString()) {
      case "off", "false" -> Optional.of("0");
      case "slowOp" -> Optional.of("1");
      case "all" -> Optional.of("2");
      default -> Optional.empty();
    };
  }

  String expected() {
    return kind.expected;
  }

  String complaint(Object value) {
    return "'" + key + "' expects " + kind.expected + ", not '" + value + "'";
  }

  private Optional<List<String>> flagIf(boolean present) {
    return Optional.of(present ? List.of(flag) : List.of());
  }
}
