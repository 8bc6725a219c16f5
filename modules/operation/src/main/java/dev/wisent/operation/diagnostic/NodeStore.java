package dev.wisent.operation.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Expiry;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.operation.RangeDeletionSettings;
import dev.wisent.operation.ReadPoints;
import dev.wisent.operation.SortSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The store of a node as a whole: its locks, settings and figures. A router has none. */
public interface NodeStore {
  /** Has everything that is written by now on disk, outside of logs. */
  void flush();

  /**
   * Keeps writes out, has everything on disk and leaves all files as they are; returns how many
   * such locks there are.
   */
  int lockWrites(OperationContext operation, long timeoutMillis);

  /** Takes one lock back; returns how many are left, or -1 if there was none. */
  int unlockWrites();

  boolean areWritesLocked();

  /**
   * Why nothing can ever be written here; empty where the node takes writes, or may do so later.
   */
  default Optional<CommandException> readOnly() {
    return Optional.empty();
  }

  SortSettings sorting();

  ReadPoints readPoints();

  /** How a shard deletes ranges that it has given away. */
  RangeDeletionSettings rangeDeletions();

  PlanCacheFigures planCache();

  AppliedFigures applied();

  RetryFigures retries();

  /** What deletes documents whose time is over. */
  List<Expiry> expiries();

  /**
   * Removes the records of retryable writes that are older than a time; returns how many that were,
   * or nothing where the node takes no writes.
   *
   * @param before in wall-clock time
   */
  OptionalInt removeRetryRecords(OperationContext operation, long before);

  /** The records of retryable writes, one for each session. */
  List<RawDocument> retryRecords();

  /** Why the store takes no writes, in words; null if it does. */
  String failure();

  /** What the storage engine tells about itself. */
  Map<String, Long> properties();

  /** Says what makes the documents of pipelines that report on the server. */
  void sources(PipelineSources sources);

  /** What a fault of the store is to a client; null for any other exception. */
  CommandException faultOf(RuntimeException thrown);
}
