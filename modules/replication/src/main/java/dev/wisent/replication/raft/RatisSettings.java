package dev.wisent.replication.raft;

import java.lang.Thread.UncaughtExceptionHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Ratis' settings; decision record 0011 has the reasons for those that are not obvious. */
final class RatisSettings {
  /** An entry holds at least one mutation: a document, its old version and its oplog entry. */
  static final int ENTRY_BYTES_MAX = 64 << 20;

  /** Of an entry's own fields, and of a message around it. */
  private static final int OVERHEAD_BYTES = 1 << 20;

  /** What Ratis is told about the size of entries. */
  static final SizeInBytes ENTRY = SizeInBytes.valueOf(ENTRY_BYTES_MAX + OVERHEAD_BYTES);

  private static final SizeInBytes MESSAGE =
      SizeInBytes.valueOf(ENTRY_BYTES_MAX + 2L * OVERHEAD_BYTES);

  /** Bounds what a follower that lags is sent at once, together with the size of entries. */
  private static final int ENTRIES_PER_APPEND = 16;

  /** The entries of the newest segment are always on the heap, too. */
  private static final SizeInBytes SEGMENT_BYTES = SizeInBytes.valueOf("32MB");

  /** With less, a busy machine would elect all the time. */
  private static final Duration ELECTION_TIMEOUT_MIN = Duration.ofMillis(300);

  private static final int SEGMENTS_CACHED = 2;
  private static final TimeDuration NEVER = TimeDuration.valueOf(365, TimeUnit.DAYS);

  /** Tells on the standard error what it found at its start. Kept here, or it is forgotten. */
  private static final Logger TRANSPORT = Logger.getLogger("org.apache.ratis.thirdparty");

  static {
    TRANSPORT.setLevel(Level.WARNING);
    neverExit();
  }

  private RatisSettings() {}

  static RaftProperties of(RaftOptions options, Path log, int port) {
    RaftProperties properties = new RaftProperties();
    if (options.inProcess().isPresent()) {
      RaftConfigKeys.Rpc.setType(properties, new InProcessTransport());
    } else {
      network(properties, port);
    }
    RaftServerConfigKeys.setStorageDir(properties, List.of(log.toFile()));
    // A process that was stopped for a long time goes on, as a follower.
    RaftServerConfigKeys.setCloseThreshold(properties, NEVER);
    elections(properties, options.electionTimeoutMin(), options.electionTimeoutMax());
    log(properties);
    sizes(properties);
    return properties;
  }

  private static void network(RaftProperties properties, int port) {
    RaftConfigKeys.Rpc.setType(properties, new YieldingVotes());
    GrpcConfigKeys.Server.setPort(properties, port);
    GrpcConfigKeys.setMessageSizeMax(properties, MESSAGE);
    GrpcConfigKeys.setFlowControlWindow(properties, SizeInBytes.valueOf("4MB"));
    GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(properties, 8);
  }

  /**
   * Ratis ends the process where its port is taken, or where any thread throws. Here that would be
   * the end of other nodes in the process, or of the program that a node is embedded in: it shall
   * throw instead, and leave uncaught exceptions of all threads alone.
   */
  private static void neverExit() {
    UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(handler);
  }

  /** The election timeout that there is in place of one that was asked for. */
  static Duration electionTimeout(Duration asked) {
    return asked.compareTo(ELECTION_TIMEOUT_MIN) < 0 ? ELECTION_TIMEOUT_MIN : asked;
  }

  /** Ratis looks at them when a server is made. */
  static void elections(RaftProperties properties, Duration timeoutMin, Duration timeoutMax) {
    TimeDuration min = duration(timeoutMin);
    TimeDuration max = duration(timeoutMax);
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, min);
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, max);
    // A member that asks early disturbs no other: a vote needs a majority that misses its leader.
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, min.multiply(0.25));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, min.multiply(0.5));
    RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
    // The default keeps a leader that lost its majority from standing for 10 s.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(properties, max);
    RaftServerConfigKeys.setStagingTimeout(properties, TimeDuration.valueOf(30, TimeUnit.SECONDS));
  }

  private static void log(RaftProperties properties) {
    // With it a follower that gets entries again, and more with them, confirms all of them without
    // having the new ones: what the leader counts for a majority could be lost (Ratis 3.3.0).
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SEGMENT_BYTES);
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, SEGMENTS_CACHED);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SEGMENT_BYTES);
    RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("4MB"));
    // One more entry, and fsync, for each that is committed; only needed to apply without a leader.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // We flush and purge by ourselves, and the follower fetches a checkpoint when it is told to.
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
    // An entry does not wait for the message before it to be a millisecond old.
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
        properties, TimeDuration.valueOf(0, TimeUnit.MILLISECONDS));
    // A member that comes back is found within a second, by default only within five.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,10, 200ms,20, 1s,1000000");
    // Requests are not retried: each has a call id of its own.
    RaftServerConfigKeys.RetryCache.setExpiryTime(
        properties, TimeDuration.valueOf(10, TimeUnit.SECONDS));
  }

  private static void sizes(RaftProperties properties) {
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, ENTRY);
    RaftServerConfigKeys.Log.Appender.setBufferElementLimit(properties, ENTRIES_PER_APPEND);
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, MESSAGE);
    SizeInBytes queue = SizeInBytes.valueOf(4L * ENTRY_BYTES_MAX);
    RaftServerConfigKeys.Log.setQueueByteLimit(properties, queue);
    RaftServerConfigKeys.Write.setByteLimit(properties, queue);
    // To make a checkpoint, a store may have to write out all its memory.
    RaftClientConfigKeys.Rpc.setRequestTimeout(
        properties, TimeDuration.valueOf(60, TimeUnit.SECONDS));
  }

  private static TimeDuration duration(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
  }
}
