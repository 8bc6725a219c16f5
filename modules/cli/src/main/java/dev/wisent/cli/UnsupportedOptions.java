package dev.wisent.cli;

import java.util.List;
import java.util.Optional;

/**
 * Flags of {@code mongod} that this version does not have. Ignoring one could cost somebody their
 * data or their secrets, so each is refused by name.
 */
final class UnsupportedOptions {
  private static final String REPLICATION = "not available in this version";
  private static final String SHARDING = "sharding is not available in this version";
  private static final String ACCESS_CONTROL =
      "access control is not available in this version; bind to localhost or to a private network";
  private static final String ENCRYPTION =
      "encrypted connections are not available in this version; put a TLS proxy in front";
  private static final String SERVICE =
      "run the server under a service manager, or in the background with the shell's &";

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
          new Row("--oplogMinRetentionHours", REPLICATION),
          new Row("--enableMajorityReadConcern", REPLICATION),
          new Row("--shardsvr", SHARDING),
          new Row("--configsvr", SHARDING),
          new Row("--configdb", SHARDING),
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
          new Row("--fork", SERVICE),
          new Row("--shutdown", "stop a server with SIGTERM or the shutdown command"),
          new Row("--syslog", "write to standard output or to a --logpath file"),
          new Row("--nojournal", "the journal cannot be switched off"),
          new Row("--storageEngine", "there is one storage engine, and it is not MongoDB's"),
          new Row("--directoryperdb", "all databases share one set of files"),
          new Row("--wiredTigerDirectoryForIndexes", "all databases share one set of files"),
          new Row("--wiredTigerCollectionBlockCompressor", "the server chooses the compression"),
          new Row("--wiredTigerJournalCompressor", "the server chooses the compression"),
          new Row("--unixSocketPrefix", "the server listens on TCP only"),
          new Row("--filePermissions", "the server listens on TCP only"),
          new Row("--timeZoneInfo", "the time zones are those of the Java runtime"));

  private UnsupportedOptions() {}

  /** Why a flag is refused, or empty if it is not one of these. */
  static Optional<String> reason(String flag) {
    return ROWS.stream().filter(row -> row.matches(flag)).map(Row::reason).findFirst();
  }

  /** Refuses a command line that holds such a flag. */
  static void check(List<String> arguments) throws StartException {
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String flag = equals < 0 ? argument : argument.substring(0, equals);
      Optional<String> reason = reason(flag);
      if (reason.isPresent()) {
        throw StartException.badOption(flag + " is not supported: " + reason.get());
      }
    }
  }
}
