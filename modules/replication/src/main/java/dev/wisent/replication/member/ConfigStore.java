package dev.wisent.replication.member;

import dev.wisent.bson.RawDocument;
import dev.wisent.replication.config.ConfigReader;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
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
  private byte[] known = new byte[0]; // guarded by this
  private volatile ReplicaSetConfig current;

  ConfigStore(ReadView storage) {
    this.storage = storage;
    refresh();
  }

  /** Null before the set is initiated. */
  ReplicaSetConfig current() {
    return current;
  }

  /** Looks whether it has changed. */
  synchronized boolean refresh() {
    byte[] stored = storage.get(Keyspace.SYSTEM, KEY);
    if (stored == null) {
      boolean changed = current != null;
      known = new byte[0];
      current = null;
      return changed;
    }
    if (Arrays.equals(stored, known)) {
      return false;
    }
    current = ConfigReader.readStored(RawDocument.of(stored));
    known = stored;
    return true;
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
