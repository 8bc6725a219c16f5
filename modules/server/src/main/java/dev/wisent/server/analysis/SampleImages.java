package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.diff.DocumentDiff;
import dev.wisent.server.operation.RunningOperation;
import java.util.function.Function;

/**
 * What a sampled update changes: the document is read before and after it. A write of another
 * client in between is told as if it were of this one; that shows in figures, not in data.
 */
final class SampleImages {
  private static final long LIMIT_MILLIS = 1_000;

  private final Operations database;
  private final Function<RunningOperation, OperationContext> contexts;

  /**
   * @param contexts gives a read beside an operation its own context
   */
  SampleImages(Operations database, Function<RunningOperation, OperationContext> contexts) {
    this.database = database;
    this.contexts = contexts;
  }

  /** The document that an update is about to change; null where that cannot be told. */
  RawDocument before(RunningOperation operation, SampledStatement statement) {
    RawDocument filter = statement.filterOfUpdate();
    return filter == null ? null : first(operation, statement, filter);
  }

  /** The difference that has come of it; null where there is none. */
  RawDocument difference(
      RunningOperation operation, SampledStatement statement, RawDocument before) {
    RawDocument byId = new BsonBuilder().append("_id", before.get("_id")).toDocument();
    RawDocument after = first(operation, statement, byId);
    RawDocument diff = after == null ? null : DocumentDiff.between(before, after);
    return diff == null || diff.isEmpty() ? null : diff;
  }

  private RawDocument first(
      RunningOperation operation, SampledStatement statement, RawDocument filter) {
    OperationContext context = contexts.apply(operation);
    context.limitMillis(LIMIT_MILLIS);
    var request =
        new FindRequest.Builder()
            .filter(filter)
            .limit(1)
            .collation(CollationChoice.of(statement.collation()));
    try (ResultCursor cursor = database.find(context, request.build(statement.namespace()))) {
      RawDocument found = cursor.peek();
      return found == null ? null : found.detached();
    } catch (CommandException unreadable) {
      // The sample is kept without its difference; the update itself reports what is wrong.
      return null;
    }
  }
}
