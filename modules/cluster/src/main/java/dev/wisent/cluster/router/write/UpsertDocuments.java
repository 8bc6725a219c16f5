package dev.wisent.cluster.router.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateParsing;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.UpsertBuilder;

/** Makes the documents of upserts, whose keys say on which shard they are inserted. */
final class UpsertDocuments {
  private final UpdateContext context;

  UpsertDocuments(UpdateContext context) {
    this.context = context;
  }

  /**
   * @param ofCollection the collation of requests that name none; null for the simple one
   */
  RawDocument build(UpdateStatement statement, Collation ofCollection, OperationContext operation) {
    Collation collation = statement.collation().or(ofCollection);
    UpdateContext seen = context.withCollation(collation);
    Update update = UpdateParsing.parse(statement, seen, operation);
    MatchExpression filter =
        MatchNormalForm.of(
            MatchParser.parse(statement.query(), QueryContexts.of(operation, collation)));
    return UpsertBuilder.build(update, filter, seen);
  }
}
