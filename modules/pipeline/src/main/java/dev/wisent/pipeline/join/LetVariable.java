package dev.wisent.pipeline.join;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import java.util.ArrayList;
import java.util.List;

/** A variable that a stage gives its pipeline: an expression over the stage's own documents. */
record LetVariable(String name, Expression expression) {
  static List<LetVariable> parse(RawDocument let, QueryContext context) {
    var variables = new ArrayList<LetVariable>();
    ExpressionParser parser = ExpressionParser.of(context);
    ElementCursor fields = let.elements();
    while (fields.next()) {
      parser.define(fields.name());
      variables.add(new LetVariable(fields.name(), parser.parse(fields.value()).optimize()));
    }
    return List.copyOf(variables);
  }

  /** The values that a document gives, written as the {@code let} of a command. */
  static RawDocument values(List<LetVariable> variables, Frame frame) {
    if (variables.isEmpty()) {
      return RawDocument.EMPTY;
    }
    var out = new BsonBuilder();
    for (LetVariable variable : variables) {
      RawValue value = variable.expression.evaluate(frame);
      if (value == null) {
        out.appendString(variable.name, "$$REMOVE");
      } else {
        out.startDocument(variable.name).append("$literal", value).end();
      }
    }
    return out.toDocument();
  }
}
