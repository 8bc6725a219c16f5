package dev.wisent.server.node;

import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.replication.member.MemberData;
import dev.wisent.storage.ReadOnlyLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.time.Instant;
import java.util.Optional;

/**
 * The stores of a member that is looked at without its set: a server without {@code --replSet} on
 * its data directory. Nothing is written, for a write would be in no log of the set.
 */
final class ReadOnlyMember implements AutoCloseable {
  private static final int READ_ONLY_LOG_ID = 9_000_107;

  private final StorageEngine storage;
  private final Optional<StorageEngine> unreplicated;
  private final NodeDatabase database;

  private ReadOnlyMember(
      StorageEngine storage, Optional<StorageEngine> unreplicated, NodeDatabase database) {
    this.storage = storage;
    this.unreplicated = unreplicated;
    this.database = database;
  }

  /**
   * Opens them.
   *
   * @param storage the store that the members have in common; closed with this
   */
  static ReadOnlyMember open(DataNode.Environment environment, StorageEngine storage) {
    LocalDatabase shared =
        LocalDatabase.open(
            storage, new ReadOnlyLog(true), environment.clock(), environment.random());
    StorageOptions options = UnreplicatedStore.options(storage.options());
    if (!StorageEngine.isIn(options.dbPath())) {
      return new ReadOnlyMember(storage, Optional.empty(), NodeDatabase.standalone(shared));
    }
    StorageEngine local = StorageEngine.openReadOnly(options);
    try {
      LocalDatabase unreplicated =
          LocalDatabase.openUnreplicated(
              local, new ReadOnlyLog(false), environment.clock(), environment.random(), shared);
      return new ReadOnlyMember(
          storage, Optional.of(local), NodeDatabase.member(shared, unreplicated, on -> {}));
    } catch (RuntimeException | Error e) {
      local.close();
      throw e;
    }
  }

  StorageEngine storage() {
    return storage;
  }

  NodeDatabase database() {
    return database;
  }

  /** Says what is shown, to the log and to clients that ask for the warnings of the start. */
  void warn(DataNode.Environment environment) {
    MemberData.State state = MemberData.state(storage);
    long timestamp = state.optime().timestamp();
    Log log = environment.log(LogComponent.CONTROL);
    log.startupWarning(
        READ_ONLY_LOG_ID,
        """
        This server is read-only: its data directory belongs to a member of %s. It shows what that \
        member had on disk, up to the optime {ts: Timestamp(%d, %d), t: %d}%s; later entries of \
        its replicated log are not in it\
        """
            .formatted(
                state.setName().map(name -> "the replica set " + name).orElse("a replica set"),
                timestamp >>> 32,
                timestamp & 0xFFFF_FFFFL,
                state.optime().term(),
                state.wallMillis() == 0 ? "" : " of " + Instant.ofEpochMilli(state.wallMillis())));
  }

  @Override
  public void close() {
    try (storage) {
      unreplicated.ifPresent(StorageEngine::close);
    }
  }
}
