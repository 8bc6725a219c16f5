package dev.wisent.database.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.exec.PlanCacheCounters;
import dev.wisent.database.oplog.AppliedCounts;
import dev.wisent.database.session.RetryCounts;
import dev.wisent.operation.Expiry;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.RangeDeletionSettings;
import dev.wisent.operation.ReadPoints;
import dev.wisent.operation.SortSettings;
import dev.wisent.operation.diagnostic.AppliedFigures;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.diagnostic.PlanCacheFigures;
import dev.wisent.operation.diagnostic.RetryFigures;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.ReadOnlyLog;
import dev.wisent.storage.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The store of this node: figures are those of what a replica set has in common. Thread-safe. */
public final class StoreControl implements NodeStore {
  private final NodeDatabase database;
  private final LocalDatabase shared;

  public StoreControl(NodeDatabase database) {
    this.database = database;
    this.shared = database.shared();
  }

  @Override
  public void flush() {
    database.flush();
  }

  @Override
  public int lockWrites(OperationContext operation, long timeoutMillis) {
    return database.lockWrites(operation, timeoutMillis);
  }

  @Override
  public int unlockWrites() {
    return database.unlockWrites();
  }

  @Override
  public boolean areWritesLocked() {
    return shared.writeGate().lockCount() > 0;
  }

  @Override
  public Optional<CommandException> readOnly() {
    return shared.storage().isReadOnly() ? Optional.of(ReadOnlyLog.refused()) : Optional.empty();
  }

  @Override
  public SortSettings sorting() {
    return shared.sorting();
  }

  @Override
  public ReadPoints readPoints() {
    return shared.snapshots();
  }

  @Override
  public RangeDeletionSettings rangeDeletions() {
    return shared.ownership().rangeDeletions();
  }

  @Override
  public PlanCacheFigures planCache() {
    PlanCacheCounters counters = shared.planCacheCounters();
    return new PlanCacheFigures(
        counters.hits(), counters.misses(), counters.skipped(), counters.replanned());
  }

  @Override
  public AppliedFigures applied() {
    AppliedCounts counts = shared.leadership().applied();
    return new AppliedFigures(
        counts.inserts(),
        counts.updates(),
        counts.deletes(),
        counts.commands(),
        counts.entries(),
        counts.batches(),
        counts.bytes(),
        counts.millis());
  }

  @Override
  public RetryFigures retries() {
    RetryCounts counts = shared.retryableWrites().counts();
    return new RetryFigures(
        counts.commands(),
        counts.statements(),
        counts.records(),
        shared.retryableWrites().sessionsAtWork());
  }

  @Override
  public List<RawDocument> retryRecords() {
    return shared.retryableWrites().records();
  }

  @Override
  public List<Expiry> expiries() {
    return database.parts().stream().<Expiry>map(LocalDatabase::expiry).toList();
  }

  @Override
  public OptionalInt removeRetryRecords(OperationContext operation, long before) {
    return shared.writeGate().isOpen()
        ? OptionalInt.of(shared.retryableWrites().removeOlder(before, operation))
        : OptionalInt.empty();
  }

  @Override
  public String failure() {
    return shared.storage().failure().map(StorageException::getMessage).orElse(null);
  }

  @Override
  public Map<String, Long> properties() {
    return shared.storage().properties();
  }

  @Override
  public void sources(PipelineSources sources) {
    database.sources(sources);
  }

  @Override
  public CommandException faultOf(RuntimeException thrown) {
    return switch (thrown) {
      case StorageException fault -> new CommandException(code(fault.kind()), fault.getMessage());
      case LeadershipException lost -> new CommandException(code(lost.kind()), lost.getMessage());
      default -> null;
    };
  }

  private static ErrorCode code(StorageException.Kind kind) {
    return switch (kind) {
      case FULL -> ErrorCode.OUT_OF_DISK_SPACE;
      case TOO_LARGE -> ErrorCode.BSON_OBJECT_TOO_LARGE;
      case CLOSED -> ErrorCode.INTERRUPTED_AT_SHUTDOWN;
      case REPLACED -> ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;
      case LOCKED, NOT_WRITABLE, FORMAT, CORRUPT, IO -> ErrorCode.INTERNAL_ERROR;
    };
  }

  private static ErrorCode code(LeadershipException.Kind kind) {
    return switch (kind) {
      case NOT_LEADER -> ErrorCode.NOT_WRITABLE_PRIMARY;
      case LEADERSHIP_LOST -> ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE;
    };
  }
}
