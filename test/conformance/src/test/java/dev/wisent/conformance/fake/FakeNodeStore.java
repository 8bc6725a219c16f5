package dev.wisent.conformance.fake;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
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
import dev.wisent.pipeline.sort.MemoryBudget;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** What the server asks of a store although there is none. */
final class FakeNodeStore implements NodeStore {
  private final FakeOperations operations;
  private final SortSettings sorting = new SortSettings(null, MemoryBudget.ofHeap());

  FakeNodeStore(FakeOperations operations) {
    this.operations = operations;
  }

  @Override
  public void flush() {
    throw FakeStore.refused("fsync");
  }

  @Override
  public int lockWrites(OperationContext operation, long timeoutMillis) {
    throw FakeStore.refused("fsync");
  }

  @Override
  public int unlockWrites() {
    throw FakeStore.refused("fsyncUnlock");
  }

  @Override
  public boolean areWritesLocked() {
    return false;
  }

  @Override
  public SortSettings sorting() {
    return sorting;
  }

  @Override
  public ReadPoints readPoints() {
    return Refused.of(ReadPoints.class);
  }

  @Override
  public RangeDeletionSettings rangeDeletions() {
    return new RangeDeletionSettings();
  }

  @Override
  public PlanCacheFigures planCache() {
    throw FakeStore.refused("the plan cache");
  }

  @Override
  public AppliedFigures applied() {
    throw FakeStore.refused("replication");
  }

  @Override
  public RetryFigures retries() {
    throw FakeStore.refused("a retryable write");
  }

  @Override
  public List<Expiry> expiries() {
    return List.of();
  }

  @Override
  public OptionalInt removeRetryRecords(OperationContext operation, long before) {
    return OptionalInt.empty();
  }

  @Override
  public List<RawDocument> retryRecords() {
    return List.of();
  }

  @Override
  public String failure() {
    return null;
  }

  @Override
  public Map<String, Long> properties() {
    return Map.of();
  }

  @Override
  public void sources(PipelineSources sources) {
    operations.sources(sources);
  }

  @Override
  public CommandException faultOf(RuntimeException thrown) {
    return null;
  }
}
