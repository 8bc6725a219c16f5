package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier;
import dev.wisent.replication.raft.RaftNode;
import dev.wisent.storage.BatchReader;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.ReadView;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * On an arbiter only the configuration is kept of everything that is applied: it votes, and has no
 * data. On other members it lets everything pass.
 */
public final class ArbiterApplier extends ForwardingApplier {
  private static final long CACHE_BYTES = 1 << 20;

  private final LogApplier inner;
  private final RaftNode raft;
  private final ReadView storage;

  /**
   * @param storage where the configuration is
   */
  public ArbiterApplier(LogApplier inner, RaftNode raft, ReadView storage) {
    this.inner = inner;
    this.raft = raft;
    this.storage = storage;
  }

  @Override
  LogApplier inner() {
    return inner;
  }

  private boolean isArbiter() {
    return raft.id().map(PeerIds::isArbiter).orElse(false);
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

  /** Others would take what is not here for what there is. */
  @Override
  public LogPosition checkpoint(Path target) {
    if (isArbiter()) {
      throw new StorageException(StorageException.Kind.IO, "an arbiter has no data to give");
    }
    return inner.checkpoint(target);
  }

  /**
   * A store with nothing but the configuration. It may be newer than the position: it comes again.
   */
  @Override
  public LogPosition outline(Path target) {
    LogPosition position = inner.applied();
    try (StorageEngine contents =
        StorageEngine.open(
            StorageOptions.defaults(target).withCacheBytes(CACHE_BYTES).withReplicatedLog())) {
      contents.apply(List.of(ConfigStore.copy(storage).batch()), position);
      contents.flush();
    }
    return position;
  }

  @Override
  public boolean keepsData() {
    return !isArbiter();
  }
}
