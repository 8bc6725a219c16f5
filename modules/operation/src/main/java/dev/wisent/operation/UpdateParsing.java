package dev.wisent.operation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.UpdateParser;

/** Parses the updates of an operation. */
public final class UpdateParsing {
  private UpdateParsing() {}

  /**
   * All parts of an update see the operation's time. A pipeline sees its variables too; other
   * updates have no expressions.
   */
  public static Update parse(
      UpdateStatement statement, UpdateContext context, OperationContext operation) {
    UpdateContext seen =
        statement.update().isArray()
            ? withVariables(statement, context, operation)
            : context.withQuery(
                context.query().at(operation::nowMillis).withMeter(operation.query().meter()));
    return UpdateParser.parse(
        statement.update(),
        statement.arrayFilters(),
        statement.multi(),
        seen.keepingEmptyTimestamps(operation.writes().keepEmptyTimestamps()));
  }

  private static UpdateContext withVariables(
      UpdateStatement statement, UpdateContext context, OperationContext operation) {
    QueryContext query = QueryContexts.of(operation).withCollation(context.query().collation());
    return context.withQuery(
        statement.constants().isEmpty()
            ? query
            : query.withLet(variables(operation.let(), statement.constants())));
  }

  /** The constants of a statement are values; what looks like an expression is none. */
  private static RawDocument variables(RawDocument let, RawDocument constants) {
    var out = new BsonBuilder().appendAll(let);
    ElementCursor values = constants.elements();
    while (values.next()) {
      out.startDocument(values.name()).append("$literal", values.value()).end();
    }
    return out.toDocument();
  }
}
