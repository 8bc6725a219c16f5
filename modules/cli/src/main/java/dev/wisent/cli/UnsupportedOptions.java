package dev.wisent.cli;

import java.util.List;
import java.util.Optional;

/**
 * Flags of {@code mongod} that this version does not have. Ignoring one could expose or lose data,
 * so each is refused by name.
 */
final class UnsupportedOptions {
  private static final String NOT_AVAILABLE = "not available in this version";
  private static final String ACCESS_CONTROL =
      "access control is not available in this version; bind to localhost or to a private network";
  private static final String ENCRYPTION =
      "encrypted connections are not available in this version; put a TLS proxy in front";

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
          new Row("--auth", ACCESS_CONTROL),
          new Row("--keyFile", ACCESS_CONTROL),
          new Row("--clusterAuthMode", ACCESS_CONTROL),
          new Row("--transitionToAuth", ACCESS_CONTROL),
          new Row("--ldap*", ACCESS_CONTROL),
          new Row("--auditDestination", ACCESS_CONTROL),
          new Row("--auditFilter", ACCESS_CONTROL),
          new Row("--auditFormat", ACCESS_CONTROL),
          new Row("--auditPath", ACCESS_CONTROL),
          new Row("--tls*", ENCRYPTION),
          new Row("--ssl*", ENCRYPTION),
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
