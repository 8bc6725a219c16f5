package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.schema.JsonSchema;

/** {@code $jsonSchema}: the whole document is of a schema. */
public record JsonSchemaMatch(JsonSchema schema) implements MatchExpression {
  static MatchExpression parse(MatchParser parser, Operand operand) {
    if (parser.isInSubdocument()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "$jsonSchema can only be applied to the top-level document");
    }
    if (!operand.value().isDocument()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "$jsonSchema must be an object");
    }
    return new JsonSchemaMatch(JsonSchema.parse(operand.value().asDocument(), parser.meter()));
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return schema.matches(root.asDocument());
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return value != null && value.isDocument() && schema.matches(value.asDocument());
  }
}
