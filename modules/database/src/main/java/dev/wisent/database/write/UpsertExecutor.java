package dev.wisent.database.write;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.operation.DuplicateKeyException;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpsertBuilder;
import java.util.List;

/**
 * Inserts for updates that found nothing. Another upsert may insert the same meanwhile: the
 * duplicate key then says that there is something to update after all. That may be gone again, too,
 * by the time of the update; then the insert has another try.
 */
final class UpsertExecutor {
  /** As many as MongoDB makes. */
  private static final int ATTEMPTS_MAX = 100;

  private final WriteAccess access;
  private final InsertExecutor inserts;
  private final UpdateExecutor updates;

  UpsertExecutor(WriteAccess access, InsertExecutor inserts, UpdateExecutor updates) {
    this.access = access;
    this.inserts = inserts;
    this.updates = updates;
  }

  UpdateExecutor.Changed upsert(
      Namespace namespace,
      UpdateStatement statement,
      Update update,
      boolean bypassValidation,
      OperationContext operation) {
    Collation collation = access.collation(operation, namespace, statement.collation());
    MatchExpression filter =
        MatchNormalForm.of(
            MatchParser.parse(statement.query(), QueryContexts.of(operation, collation)));
    RawDocument document = UpsertBuilder.build(update, filter, access.context());
    for (int attempt = 1; ; attempt++) {
      try {
        insert(namespace, document, bypassValidation, operation);
        return UpdateExecutor.Changed.inserted(document);
      } catch (DuplicateKeyException e) {
        UpdateExecutor.Changed changed =
            updates.updateOne(namespace, statement, update, bypassValidation, operation);
        if (changed.before() != null) {
          return changed;
        }
        if (attempt == ATTEMPTS_MAX || !asksForExactly(filter, e, collation)) {
          throw e;
        }
        operation.checkNow();
      }
    }
  }

  private void insert(
      Namespace namespace,
      RawDocument document,
      boolean bypassValidation,
      OperationContext operation) {
    access.inCollection(
        namespace,
        true,
        operation,
        collection -> {
          if (!bypassValidation) {
            collection.rules().under(operation).checkInsert(document);
          }
          inserts.insertInto(collection, document, operation);
          return null;
        });
  }

  /**
   * Whether the query asks for the duplicate key and for nothing else. Then the document that has
   * the key matches, and if the update did not find it, it is gone. Otherwise it may be there and
   * not match, and would be in the way for ever.
   */
  private static boolean asksForExactly(
      MatchExpression filter, DuplicateKeyException duplicate, Collation collation) {
    List<MatchExpression> conditions =
        filter instanceof AndMatch and ? and.children() : List.of(filter);
    if (conditions.size() != duplicate.keyPattern().fieldCount()
        || !Collation.same(collation, duplicate.collation())) {
      return false;
    }
    ElementCursor key = duplicate.keyValue().elements();
    while (key.next()) {
      String path = key.name();
      RawValue value = key.value();
      if (conditions.stream()
          .noneMatch(condition -> isEquality(condition, path, value, collation))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEquality(
      MatchExpression condition, String path, RawValue key, Collation collation) {
    return condition instanceof ComparisonMatch comparison
        && comparison.isEquality()
        && comparison.path().dotted().equals(path)
        && ValueOrder.equal(Collation.key(collation, comparison.operand()), key);
  }
}
