package dev.wisent.cli;

import java.util.List;
import java.util.Optional;

/**
 * Flags and settings of {@code mongod} that are about how it works inside. A server that works
 * otherwise serves the same data without them, so files that have them start it, with a warning.
 */
final class IgnoredOptions {
  private static final String COMPRESSION = "the server chooses the compression";
  private static final String ONE_STORE = "all databases share one set of files";
  private static final String TCP = "the server listens on TCP only";

  /**
   * One of them.
   *
   * @param names a flag, or settings of a configuration file; an asterisk at the end stands for
   *     everything below
   * @param value the value that makes no difference, where others would; null for all
   */
  record Row(List<String> names, boolean takesValue, String value, String reason) {
    boolean matches(String name, String given) {
      return names.stream().anyMatch(each -> matchesName(each, name))
          && (value == null || value.equals(given));
    }

    private static boolean matchesName(String pattern, String name) {
      return pattern.endsWith("*")
          ? name.startsWith(pattern.substring(0, pattern.length() - 1))
          : name.equals(pattern);
    }
  }

  private static final List<Row> ROWS =
      List.of(
          row(
              "the time zones are those of the Java runtime",
              "--timeZoneInfo",
              "processManagement.timeZoneInfo"),
          new Row(
              List.of("--storageEngine", "storage.engine"),
              true,
              "wiredTiger",
              "there is one storage engine, and it is not MongoDB's"),
          flag(ONE_STORE, "--directoryperdb", "storage.directoryPerDB"),
          flag(
              ONE_STORE,
              "--wiredTigerDirectoryForIndexes",
              "storage.wiredTiger.engineConfig.directoryForIndexes"),
          row(
              COMPRESSION,
              "--wiredTigerCollectionBlockCompressor",
              "storage.wiredTiger.collectionConfig.*"),
          row(
              COMPRESSION,
              "--wiredTigerJournalCompressor",
              "storage.wiredTiger.engineConfig.journalCompressor"),
          row(
              COMPRESSION,
              "--wiredTigerIndexPrefixCompression",
              "storage.wiredTiger.indexConfig.*"),
          row(
              "clients choose the compression of messages",
              "--networkMessageCompressors",
              "net.compression.compressors"),
          row("the server chooses when to flush", "--syncdelay", "storage.syncPeriodSecs"),
          row(TCP, "--unixSocketPrefix", "net.unixDomainSocket.pathPrefix"),
          row(TCP, "--filePermissions", "net.unixDomainSocket.filePermissions"),
          row(TCP, "net.unixDomainSocket.enabled"),
          row("every message is checked", "net.wireObjectCheck"),
          row(
              "a file that was moved away is begun anew, any other is renamed",
              "--logRotate",
              "systemLog.logRotate"),
          new Row(
              List.of("--enableMajorityReadConcern", "replication.enableMajorityReadConcern"),
              true,
              "true",
              "it is always enabled"),
          row("there is no such service", "cloud.monitoring.free.*"));

  private IgnoredOptions() {}

  private static Row row(String reason, String... names) {
    return new Row(List.of(names), true, null, reason);
  }

  private static Row flag(String reason, String... names) {
    return new Row(List.of(names), false, null, reason);
  }

  static List<Row> all() {
    return ROWS;
  }

  /** An option that was given, and why it has no effect. */
  record Ignored(String name, boolean takesValue, String reason) {}

  /**
   * @param value null where none is known yet
   */
  static Optional<Ignored> find(String name, String value) {
    return ROWS.stream()
        .filter(row -> row.matches(name, value))
        .map(row -> new Ignored(name, row.takesValue(), row.reason()))
        .findFirst();
  }
}
