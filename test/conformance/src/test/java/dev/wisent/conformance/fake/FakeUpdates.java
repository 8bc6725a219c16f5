package dev.wisent.conformance.fake;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateParsing;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.UpdateStages;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.insert.InsertNormalizer;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.PositionalFilter;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.UpdateOutcome;
import dev.wisent.query.update.UpsertBuilder;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Inserts and updates over lists of documents. Callers hold the lock of the store. */
final class FakeUpdates {
  private final FakeStore store;
  private final FakeReads reads;
  private final AtomicLong timestamps = new AtomicLong();
  private final ObjectIds ids = new ObjectIds(Clock.system(), RandomSource.system());

  FakeUpdates(FakeStore store, FakeReads reads) {
    this.store = store;
    this.reads = reads;
  }

  /**
   * What a statement did.
   *
   * @param before the last document that matched, or null; likewise {@code after}
   */
  record Result(
      long matched, long modified, RawDocument before, RawDocument after, RawValue upsertedId) {
    void addTo(WriteOutcome outcome, int index) {
      outcome.addMatched(matched);
      outcome.addModified(modified);
      if (upsertedId != null) {
        outcome.addUpserted(index, upsertedId);
      }
    }
  }

  void insert(Namespace namespace, RawDocument given, OperationContext operation) {
    RawDocument document =
        InsertNormalizer.normalize(given, context(reads.context(namespace, operation)));
    store.findOrCreate(namespace).insert(namespace, document);
  }

  Result run(Namespace namespace, UpdateStatement statement, OperationContext operation) {
    QueryContext query =
        QueryContexts.of(operation, statement.collation().or(store.collation(namespace)));
    UpdateContext context = context(query);
    Update update = UpdateParsing.parse(statement, context, operation);
    MatchExpression filter = MatchParser.parse(statement.query(), query);
    List<RawDocument> matching =
        reads.matching(
            reads.documents(namespace, statement.hint()).stream(),
            statement.query(),
            statement.sort(),
            query,
            operation);
    if (matching.isEmpty()) {
      return statement.upsert()
          ? upsert(namespace, update, filter, context)
          : new Result(0, 0, null, null, null);
    }
    long modified = 0;
    List<RawDocument> chosen = statement.multi() ? matching : List.of(matching.getFirst());
    RawDocument after = null;
    for (RawDocument before : chosen) {
      UpdateOutcome outcome =
          update.apply(
              before,
              update.needsMatchDetails() ? PositionalFilter.of(filter).detailsOf(before) : null,
              false);
      after = outcome.modified() ? FakeCollection.copy(outcome.document()) : before;
      if (outcome.modified()) {
        store.find(namespace).replace(before, after);
        modified++;
      }
    }
    return new Result(chosen.size(), modified, chosen.getLast(), after, null);
  }

  private Result upsert(
      Namespace namespace, Update update, MatchExpression filter, UpdateContext context) {
    RawDocument document = UpsertBuilder.build(update, MatchNormalForm.of(filter), context);
    store.findOrCreate(namespace).insert(namespace, document);
    return new Result(0, 0, null, document, document.get("_id"));
  }

  private UpdateContext context(QueryContext query) {
    return new UpdateContext(query, timestamps::incrementAndGet, ids, UpdateStages::parse);
  }
}
