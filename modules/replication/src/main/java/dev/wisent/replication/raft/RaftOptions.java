package dev.wisent.replication.raft;

import dev.wisent.replication.secret.LogKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a node takes part in a replicated log.
 *
 * @param directory where the log is kept; created when absent
 * @param host the name or address that the other nodes reach this one at
 * @param port where it listens for them; 0 chooses one and stays with it
 * @param electionTimeoutMin how long at least a leader is not heard of before others stand
 * @param electionTimeoutMax how long at most; each waits for a random time in between
 * @param keptLogBytes how much log there is at least before older parts are given up, so that a
 *     member that was away for a while needs no snapshot
 * @param entriesInFlight how many entries are proposed at the same time; mutations that come
 *     meanwhile share the next one
 * @param keys what else proves that a peer belongs to the set
 * @param inProcess the nodes that it calls, and is called by; empty if those are found by a network
 */
public record RaftOptions(
    Path directory,
    String host,
    int port,
    Duration electionTimeoutMin,
    Duration electionTimeoutMax,
    long keptLogBytes,
    int entriesInFlight,
    LogKeys keys,
    Optional<InProcessPeers> inProcess) {
  private static final long MIB = 1L << 20;

  /** Elections after 600 to 1,200 ms, 256 MiB of log, one entry at a time. */
  public static RaftOptions defaults(Path directory, String host, int port) {
    return new RaftOptions(
        directory,
        host,
        port,
        Duration.ofMillis(600),
        Duration.ofMillis(1200),
        256 * MIB,
        1,
        LogKeys.NONE,
        Optional.empty());
  }

  public RaftOptions withElectionTimeout(Duration min, Duration max) {
    return new RaftOptions(
        directory, host, port, min, max, keptLogBytes, entriesInFlight, keys, inProcess);
  }

  public RaftOptions withKeptLogBytes(long bytes) {
    return new RaftOptions(
        directory,
        host,
        port,
        electionTimeoutMin,
        electionTimeoutMax,
        bytes,
        entriesInFlight,
        keys,
        inProcess);
  }

  public RaftOptions withEntriesInFlight(int entries) {
    return new RaftOptions(
        directory,
        host,
        port,
        electionTimeoutMin,
        electionTimeoutMax,
        keptLogBytes,
        entries,
        keys,
        inProcess);
  }

  public RaftOptions withKeys(LogKeys newKeys) {
    return new RaftOptions(
        directory,
        host,
        port,
        electionTimeoutMin,
        electionTimeoutMax,
        keptLogBytes,
        entriesInFlight,
        newKeys,
        inProcess);
  }

  public RaftOptions withInProcess(Optional<InProcessPeers> peers) {
    return new RaftOptions(
        directory,
        host,
        port,
        electionTimeoutMin,
        electionTimeoutMax,
        keptLogBytes,
        entriesInFlight,
        keys,
        peers);
  }
}
