package dev.wisent.query.match;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;

/**
 * An operator with its argument, as it stands in a filter.
 *
 * @param siblings the document that the operator stands in; {@code $regex} looks for {@code
 *     $options} there
 */
public record Operand(String operator, RawValue value, RawDocument siblings) {
  /** Operator and argument as error messages quote them. */
  String text() {
    return operator + ": " + ValueText.of(value);
  }
}
