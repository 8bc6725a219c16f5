package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.replication.ClusterClock;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Gives the oplog entries of mutations their time, in the order of the log, and makes them part of
 * the mutation. For one thread.
 */
final class OplogStamp {
  private static final byte TYPE_DATE = 0x09;
  private static final byte TYPE_TIMESTAMP = 0x11;
  private static final byte TYPE_LONG = 0x12;
  private static final long OPLOG_VERSION = 2;

  private static final byte[] TS = "ts\0".getBytes(StandardCharsets.UTF_8);
  private static final byte[] TERM = "t\0".getBytes(StandardCharsets.UTF_8);
  private static final byte[] VERSION = "v\0".getBytes(StandardCharsets.UTF_8);
  private static final byte[] WALL = "wall\0".getBytes(StandardCharsets.UTF_8);

  private static final int ADDED_BYTES =
      4 * (1 + Long.BYTES) + TS.length + TERM.length + VERSION.length + WALL.length;

  private final ClusterClock clock;
  private final Clock wall;
  private final MutationBuilder puts = new MutationBuilder();

  OplogStamp(ClusterClock clock, Clock wall) {
    this.clock = clock;
    this.wall = wall;
  }

  /**
   * A mutation as it goes into the log.
   *
   * @param timestamp of its last oplog entry; 0 if it has none
   */
  record Stamped(Mutation mutation, long timestamp) {}

  Stamped stamp(Mutation mutation, long term) {
    List<byte[]> entries = mutation.oplogEntries();
    if (entries.isEmpty()) {
      return new Stamped(mutation, 0);
    }
    long timestamp = clock.tick(entries.size());
    long millis = wall.wallMillis();
    puts.reset();
    for (int i = 0; i < entries.size(); i++) {
      long time = timestamp + i;
      byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(time).array();
      puts.put(Keyspace.OPLOG, key, complete(entries.get(i), time, term, millis));
    }
    return new Stamped(mutation.and(puts.build()), timestamp + entries.size() - 1);
  }

  /** Adds the fields that only the log knows, where MongoDB has them: at the end. */
  static byte[] complete(byte[] entry, long timestamp, long term, long wallMillis) {
    ByteBuffer bytes =
        ByteBuffer.allocate(entry.length + ADDED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(entry.length + ADDED_BYTES);
    bytes.put(entry, Integer.BYTES, entry.length - Integer.BYTES - 1);
    bytes.put(TYPE_TIMESTAMP).put(TS).putLong(timestamp);
    bytes.put(TYPE_LONG).put(TERM).putLong(term);
    bytes.put(TYPE_LONG).put(VERSION).putLong(OPLOG_VERSION);
    bytes.put(TYPE_DATE).put(WALL).putLong(wallMillis);
    return bytes.put((byte) 0).array();
  }
}
