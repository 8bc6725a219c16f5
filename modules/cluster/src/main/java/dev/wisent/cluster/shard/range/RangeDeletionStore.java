package dev.wisent.cluster.shard.range;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/** The documents of {@code config.rangeDeletions}. Thread-safe. */
final class RangeDeletionStore {
  private static final int INVALID_LOG_ID = 9_000_610;

  private final Operations documents;
  private final Clock clock;
  private final Log log;
  private volatile Known known = new Known(null, List.of());

  /**
   * Tasks.
   *
   * @param version of the collection before they were read
   */
  private record Known(Object version, List<RangeDeletionTask> tasks) {}

  RangeDeletionStore(Operations documents, Clock clock, Log log) {
    this.documents = documents;
    this.clock = clock;
    this.log = log;
  }

  /** All tasks, in the order in which they were made. */
  List<RangeDeletionTask> all() {
    Object version = documents.version(Ownership.RANGE_DELETIONS);
    Known last = known;
    if (last.version != version) {
      last = new Known(version, read());
      known = last;
    }
    return last.tasks;
  }

  private List<RangeDeletionTask> read() {
    var tasks = new ArrayList<RangeDeletionTask>();
    FindRequest request = FindRequest.of(Ownership.RANGE_DELETIONS, RawDocument.EMPTY);
    try (ResultCursor found = documents.find(OperationContext.internal(clock), request)) {
      for (RawDocument each; (each = found.peek()) != null; found.take()) {
        try {
          tasks.add(RangeDeletionTask.parse(RawDocument.of(each.toByteArray())));
        } catch (CommandException e) {
          log.warn(INVALID_LOG_ID, "Skipped a range deletion task", "error", e.getMessage());
        }
      }
    }
    return List.copyOf(tasks);
  }

  /**
   * Adds a task.
   *
   * @param operation for which that is
   */
  void insert(RawDocument task, OperationContext operation) {
    OperationContext part = OperationContext.internal(clock);
    part.stopCheck(operation::checkNow);
    part.writes().inTermOf(operation.writes());
    check(
        documents.insert(
            part, new InsertRequest(Ownership.RANGE_DELETIONS, List.of(task), true, false)));
  }

  /** Says that the deletion has begun. */
  void begin(RangeDeletionTask task) {
    update(task, new BsonBuilder().startDocument("$set").appendBoolean("processing", true).end());
  }

  /** Says how many documents fewer are left. */
  void deleted(RangeDeletionTask task, long count) {
    update(
        task, new BsonBuilder().startDocument("$inc").appendInt64("numOrphanDocs", -count).end());
  }

  private void update(RangeDeletionTask task, BsonBuilder change) {
    var statement =
        new UpdateStatement(
            id(task),
            RawValue.ofDocument(change.toDocument()),
            false,
            false,
            List.of(),
            RawDocument.EMPTY,
            null);
    check(
        documents.update(
            OperationContext.internal(clock),
            new UpdateRequest(Ownership.RANGE_DELETIONS, List.of(statement), true, true)));
  }

  void remove(RangeDeletionTask task) {
    var statement = new DeleteStatement(id(task), false, null);
    check(
        documents.delete(
            OperationContext.internal(clock),
            new DeleteRequest(Ownership.RANGE_DELETIONS, List.of(statement), true)));
  }

  private static RawDocument id(RangeDeletionTask task) {
    return new BsonBuilder().append("_id", task.id()).toDocument();
  }

  private static void check(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }
}
