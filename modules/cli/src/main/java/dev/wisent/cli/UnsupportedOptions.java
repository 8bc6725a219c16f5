package dev.wisent.cli;

import java.util.List;
import java.util.Optional;

/**
 * Flags of {@code mongod} that this version does not have. Ignoring one could expose or lose data,
 * so each is refused by name.
 */
final class UnsupportedOptions {
  private static final String NOT_AVAILABLE = "not available in this version";
  private static final String DIRECTORIES =
      "users are known by SCRAM and x.509; LDAP, Kerberos and OpenID are not available";
  private static final String PEM_FILES =
      "certificates come from PEM files, not from a system store";
  private static final String RENAMED = "it was renamed: use ";

  /** One flag, or all that begin with it when it ends in an asterisk. */
  private record Row(String flag, String reason) {
    boolean matches(String name) {
      return flag.endsWith("*")
          ? name.startsWith(flag.substring(0, flag.length() - 1))
          : name.equals(flag);
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row("--oplogMinRetentionHours", NOT_AVAILABLE),
          new Row("--enableMajorityReadConcern", NOT_AVAILABLE),
          new Row("--configdb", "it is for routers: wisent router --configdb"),
          new Row("--archiveMovedChunks", NOT_AVAILABLE),
          new Row("--ldap*", DIRECTORIES),
          new Row("--sasl*", DIRECTORIES),
          new Row("--auditCompressionMode", NOT_AVAILABLE),
          new Row("--auditEncryption*", NOT_AVAILABLE),
          new Row("--auditRuntimeConfiguration", NOT_AVAILABLE),
          new Row("--clusterIpSource*", NOT_AVAILABLE),
          new Row("--tlsCertificateSelector", PEM_FILES),
          new Row("--tlsClusterCertificateSelector", PEM_FILES),
          new Row("--tlsFIPSMode", "the runtime's TLS is not certified by FIPS 140"),
          new Row("--tlsLogVersions", NOT_AVAILABLE),
          new Row("--tlsOnNormalPorts", RENAMED + "--tlsMode requireTLS"),
          new Row("--tlsClusterAuthX509*", NOT_AVAILABLE),
          new Row("--sslOnNormalPorts", RENAMED + "--tlsMode requireTLS"),
          new Row("--sslPEMKeyFile", RENAMED + "--tlsCertificateKeyFile"),
          new Row("--sslPEMKeyPassword", RENAMED + "--tlsCertificateKeyFilePassword"),
          new Row(
              "--sslWeakCertificateValidation",
              RENAMED + "--tlsAllowConnectionsWithoutCertificates"),
          new Row("--sslMode", RENAMED + "--tlsMode disabled, allowTLS, preferTLS or requireTLS"),
          new Row("--sslClusterFile", RENAMED + "--tlsClusterFile"),
          new Row("--sslClusterPassword", RENAMED + "--tlsClusterPassword"),
          new Row("--sslCAFile", RENAMED + "--tlsCAFile"),
          new Row("--sslClusterCAFile", RENAMED + "--tlsClusterCAFile"),
          new Row("--sslCRLFile", RENAMED + "--tlsCRLFile"),
          new Row("--sslAllow*", RENAMED + "the option that begins with --tlsAllow"),
          new Row("--sslDisabledProtocols", RENAMED + "--tlsDisabledProtocols"),
          new Row("--ssl*", NOT_AVAILABLE),
          new Row("--enableEncryption", "encryption of stored data is not available"),
          new Row("--encryption*", "encryption of stored data is not available"),
          new Row("--kmip*", "encryption of stored data is not available"),
          new Row("--shutdown", "stop a server with SIGTERM or the shutdown command"),
          new Row("--syslog", "write to standard output or to a --logpath file"),
          new Row("--nojournal", "the journal cannot be switched off"),
          new Row("--storageEngine", "there is one storage engine, and it is not MongoDB's"));

  private UnsupportedOptions() {}

  /** Why a flag is refused, or empty if it is not one of these. */
  static Optional<String> reason(String flag) {
    return ROWS.stream().filter(row -> row.matches(flag)).map(Row::reason).findFirst();
  }
}
