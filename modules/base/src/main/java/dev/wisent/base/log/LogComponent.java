package dev.wisent.base.log;

import java.util.Optional;

/**
 * Which part of the server speaks. Names, and the tree that verbosity is inherited along, are those
 * of MongoDB's {@code logComponentVerbosity}.
 */
public enum LogComponent {
  DEFAULT("-", "", null),
  ACCESS("ACCESS", "accessControl", DEFAULT),
  COMMAND("COMMAND", "command", DEFAULT),
  CONTROL("CONTROL", "control", DEFAULT),
  EXECUTOR("EXECUTOR", "executor", DEFAULT),
  FTDC("FTDC", "ftdc", DEFAULT),
  GEO("GEO", "geo", DEFAULT),
  INDEX("INDEX", "index", DEFAULT),
  NETWORK("NETWORK", "network", DEFAULT),
  QUERY("QUERY", "query", DEFAULT),
  REPLICATION("REPL", "replication", DEFAULT),
  ELECTION("ELECTION", "election", REPLICATION),
  HEARTBEATS("REPL_HB", "heartbeats", REPLICATION),
  INITIAL_SYNC("INITSYNC", "initialSync", REPLICATION),
  SHARDING("SHARDING", "sharding", DEFAULT),
  STORAGE("STORAGE", "storage", DEFAULT),
  JOURNAL("JOURNAL", "journal", STORAGE),
  RECOVERY("RECOVERY", "recovery", STORAGE),
  TRANSACTION("TXN", "transaction", DEFAULT),
  WRITE("WRITE", "write", DEFAULT);

  private final String logName;
  private final String settingName;
  private final LogComponent parent;

  LogComponent(String logName, String settingName, LogComponent parent) {
    this.logName = logName;
    this.settingName = settingName;
    this.parent = parent;
  }

  /** The name in a line's {@code c} field. */
  public String logName() {
    return logName;
  }

  /** The field name under which {@code logComponentVerbosity} shows it; empty for the root. */
  public String settingName() {
    return settingName;
  }

  /** Where its verbosity comes from unless it has its own; empty for the root. */
  public Optional<LogComponent> parent() {
    return Optional.ofNullable(parent);
  }
}
