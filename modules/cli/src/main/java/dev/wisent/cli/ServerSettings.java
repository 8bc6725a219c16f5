package dev.wisent.cli;

import dev.wisent.base.log.LogFormat;
import dev.wisent.cli.IgnoredOptions.Ignored;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.profile.ProfilingOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command line after checking. What is empty was not given and is the server's to decide.
 *
 * @param configDb of a router, and only there
 * @param ignored options that have no effect
 * @param arguments the flags as they were typed, for {@code getCmdLineOpts}
 */
record ServerSettings(
    Program program,
    Path dbPath,
    int port,
    boolean portByDefault,
    List<String> bindAddresses,
    boolean ipv6,
    Optional<Long> cacheBytes,
    Optional<Integer> journalIntervalMillis,
    Optional<Integer> connectionsMax,
    Map<String, String> parameters,
    boolean noTableScan,
    boolean scripting,
    Optional<String> replicaSet,
    Optional<Integer> raftPort,
    Optional<Integer> oplogMegabytes,
    ClusterRole clusterRole,
    Optional<String> configDb,
    boolean repair,
    LogSettings log,
    ProfilingOptions profiling,
    SecuritySettings security,
    Optional<Path> pidFile,
    Fork fork,
    List<Ignored> ignored,
    List<String> arguments) {
  ServerSettings {
    bindAddresses = List.copyOf(bindAddresses);
    parameters = new LinkedHashMap<>(parameters);
    ignored = List.copyOf(ignored);
    arguments = List.copyOf(arguments);
  }

  /** What this process has to do with {@code --fork}. */
  enum Fork {
    NONE,
    /** It starts another one, and ends when that one serves. */
    PARENT,
    /** It is the other one. */
    CHILD
  }

  /**
   * Where the log goes and how much it says.
   *
   * @param path empty for standard output
   * @param verbosity 0 to 5
   * @param quiet whether connections that come and go are left out
   * @param format empty to choose by who reads it
   */
  record LogSettings(
      Optional<Path> path,
      boolean append,
      int verbosity,
      boolean quiet,
      Optional<LogFormat> format) {}
}
