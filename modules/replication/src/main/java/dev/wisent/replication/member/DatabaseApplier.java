package dev.wisent.replication.member;

import dev.wisent.database.LocalDatabase;
import dev.wisent.database.collection.Oplog;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.raft.LogApplier;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the log to this node's store. Mutations of local writers are only written: who waits for
 * them sees to caches and counters. Those of others are followed by the database.
 */
public final class DatabaseApplier implements LogApplier {
  private final StorageEngine storage;
  private final LocalDatabase database;

  public DatabaseApplier(StorageEngine storage, LocalDatabase database) {
    this.storage = storage;
    this.database = database;
  }

  @Override
  public LogPosition applied() {
    return storage.appliedPosition();
  }

  @Override
  public long seenIndex() {
    return storage.seenIndex();
  }

  @Override
  public OpTime newest() {
    return AppliedOpTime.in(storage);
  }

  @Override
  public void reaching(long timestamp) {
    database.snapshots().crossings().reaching(timestamp);
  }

  @Override
  public void apply(List<Applied> mutations, LogPosition position) {
    List<byte[]> batches = new ArrayList<>(mutations.size());
    List<Mutation> replicated = new ArrayList<>(0);
    for (Applied applied : mutations) {
      batches.add(applied.mutation().batch());
      if (!applied.local()) {
        replicated.add(applied.mutation());
      }
    }
    if (replicated.isEmpty()) {
      storage.apply(batches, position);
    } else {
      database
          .leadership()
          .apply(replicated, position.term(), () -> storage.apply(batches, position));
    }
    database.snapshots().applied();
    Oplog oplog = database.catalog().oplog();
    if (oplog != null) {
      oplog.grown();
    }
  }

  @Override
  public void enter(LogPosition position) {
    storage.enterLog(position);
  }

  @Override
  public LogPosition flush() {
    LogPosition applied = storage.appliedPosition();
    storage.flush();
    return applied;
  }

  @Override
  public LogPosition checkpoint(Path target) {
    LogPosition applied = storage.appliedPosition();
    storage.checkpoint(target);
    return applied;
  }

  @Override
  public LogPosition outline(Path target) {
    throw new UnsupportedOperationException("what is to be in it is known elsewhere");
  }

  @Override
  public boolean keepsData() {
    return true;
  }

  @Override
  public boolean hasRoom() {
    return storage.hasRoom();
  }

  @Override
  public void recover() {
    if (storage.failure().isPresent()) {
      database.leadership().replaceContents(storage::reopenAfterFailure);
      database.snapshots().clear();
    }
  }

  @Override
  public void install(Path directory) {
    database.leadership().replaceContents(() -> storage.replaceContents(directory));
    database.snapshots().clear();
  }
}
