package dev.wisent.replication.member;

import dev.wisent.bson.RawDocument;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The configuration among the replicated data, so that all members have the same one, in the same
 * order as everything else.
 */
final class ConfigStore {
  private static final byte[] KEY = "replSetConfig".getBytes(StandardCharsets.US_ASCII);

  private final ReadView storage;
  private final RaftNode raft;
  private byte[] known = new byte[0]; // guarded by this
  private volatile ReplicaSetConfig stored;

  /**
   * @param raft whose group the data has to be of
   */
  ConfigStore(ReadView storage, RaftNode raft) {
    this.storage = storage;
    this.raft = raft;
    refresh();
  }

  /**
   * Null before the set is initiated, and while the data here is of another time or another group:
   * its configuration says nothing about the set of today.
   */
  ReplicaSetConfig current() {
    ReplicaSetConfig seen = stored;
    return seen != null && isOfGroup(seen) && !raft.isCatchingUp() ? seen : null;
  }

  private boolean isOfGroup(ReplicaSetConfig config) {
    return raft.group().filter(group -> group.equals(config.logGroup())).isPresent();
  }

  /** The one in the store, whatever it is worth; null if there is none. */
  ReplicaSetConfig stored() {
    return stored;
  }

  /** Looks whether it has changed. */
  synchronized boolean refresh() {
    byte[] bytes = storage.get(Keyspace.SYSTEM, KEY);
    if (bytes == null) {
      boolean changed = stored != null;
      known = new byte[0];
      stored = null;
      return changed;
    }
    if (Arrays.equals(bytes, known)) {
      return false;
    }
    stored = read(bytes);
    known = bytes;
    return true;
  }

  /** The configuration in a store; null if there is none. */
  static ReplicaSetConfig in(ReadView storage) {
    byte[] bytes = storage.get(Keyspace.SYSTEM, KEY);
    return bytes == null ? null : read(bytes);
  }

  private static ReplicaSetConfig read(byte[] bytes) {
    return ConfigReader.readStored(RawDocument.of(bytes));
  }

  /** What takes the configuration out of a store. */
  static Mutation removal() {
    return new MutationBuilder().delete(Keyspace.SYSTEM, KEY).build();
  }

  /** Whether a change sets the configuration. */
  static boolean isConfig(BatchReader change) {
    return change.keyspace() == Keyspace.SYSTEM
        && change.kind() == BatchReader.Kind.PUT
        && Arrays.equals(
            change.bytes(),
            change.keyOffset(),
            change.keyOffset() + change.keyLength(),
            KEY,
            0,
            KEY.length);
  }

  /** The configuration of a store, to put it into another one. */
  static Mutation copy(ReadView storage) {
    byte[] stored = storage.get(Keyspace.SYSTEM, KEY);
    var copy = new MutationBuilder();
    return (stored == null ? copy : copy.put(Keyspace.SYSTEM, KEY, stored)).build();
  }

  /** What makes a configuration the set's. */
  static Mutation mutation(ReplicaSetConfig config) {
    return new MutationBuilder()
        .put(Keyspace.SYSTEM, KEY, ConfigWriter.stored(config).toByteArray())
        .oplogEntry(NoopEntries.reconfiguration(config))
        .build();
  }
}
