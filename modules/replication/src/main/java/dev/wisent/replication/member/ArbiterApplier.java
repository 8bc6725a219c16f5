package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * On an arbiter only the configuration is kept of everything that is applied: it votes, and has no
 * data. On other members it lets everything pass.
 */
public final class ArbiterApplier implements LogApplier {
  private static final List<Keyspace> DATA =
      List.of(Keyspace.CATALOG, Keyspace.RECORDS, Keyspace.INDEX, Keyspace.OPLOG);
  private static final byte[] FIRST = {};
  private static final byte[] BEHIND_LAST = new byte[32];

  static {
    Arrays.fill(BEHIND_LAST, (byte) 0xFF);
  }

  private final LogApplier inner;
  private final RaftNode raft;

  public ArbiterApplier(LogApplier inner, RaftNode raft) {
    this.inner = inner;
    this.raft = raft;
  }

  private boolean isArbiter() {
    return raft.id().map(PeerIds::isArbiter).orElse(false);
  }

  @Override
  public LogPosition applied() {
    return inner.applied();
  }

  @Override
  public void apply(List<Applied> mutations, LogPosition position) {
    if (!isArbiter()) {
      inner.apply(mutations, position);
      return;
    }
    inner.apply(
        mutations.stream()
            .map(applied -> new Applied(configurationIn(applied.mutation()), false))
            .toList(),
        position);
  }

  private static Mutation configurationIn(Mutation mutation) {
    var kept = new MutationBuilder();
    var changes = new BatchReader(mutation);
    while (changes.next()) {
      if (ConfigStore.isConfig(changes)) {
        kept.put(
            Keyspace.SYSTEM,
            changes.bytes(),
            changes.keyOffset(),
            changes.keyLength(),
            changes.bytes(),
            changes.valueOffset(),
            changes.valueLength());
      }
    }
    return kept.build();
  }

  @Override
  public LogPosition flush() {
    return inner.flush();
  }

  /** Others would take what is not here for what there is. */
  @Override
  public LogPosition checkpoint(Path target) {
    if (isArbiter()) {
      throw new StorageException(StorageException.Kind.IO, "an arbiter has no data to give");
    }
    return inner.checkpoint(target);
  }

  @Override
  public void install(Path directory) {
    if (isArbiter()) {
      strip(directory);
    }
    inner.install(directory);
  }

  private static void strip(Path directory) {
    try (StorageEngine contents =
        StorageEngine.open(StorageOptions.defaults(directory).withReplicatedLog())) {
      for (Keyspace keyspace : DATA) {
        contents.dropRange(keyspace, FIRST, BEHIND_LAST);
      }
    }
  }
}
