package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.Accumulator;
import dev.wisent.pipeline.accumulator.AccumulatorTable;
import dev.wisent.query.expression.ExpressionParser;
import java.util.ArrayList;
import java.util.List;

/** A field of a group and the accumulator that its value comes from. */
public record GroupField(String name, Accumulator accumulator) {
  /** Reads <code>name: {$accumulator: argument}</code>. */
  static GroupField parse(String name, RawValue spec, ExpressionParser parser) {
    ElementCursor operators = spec.isDocument() ? spec.elements() : null;
    if (operators == null || !operators.next() || !operators.nameStartsWith('$')) {
      throw new CommandException(
          ErrorCode.GROUP_FIELD_NOT_ACCUMULATOR,
          "The field '" + name + "' must be an accumulator object");
    }
    if (name.indexOf('.') >= 0) {
      throw new CommandException(
          ErrorCode.GROUP_FIELD_WITH_DOT, "The field name '" + name + "' cannot contain '.'");
    }
    if (name.startsWith("$")) {
      throw new CommandException(
          ErrorCode.GROUP_FIELD_OPERATOR_NAME,
          "The field name '" + name + "' cannot be an operator name");
    }
    if (spec.asDocument().fieldCount() != 1) {
      throw new CommandException(
          ErrorCode.GROUP_FIELD_ACCUMULATORS,
          "The field '" + name + "' must specify one accumulator");
    }
    String operator = operators.name();
    if (operators.value().isArray()) {
      throw new CommandException(
          ErrorCode.GROUP_ACCUMULATOR_NOT_UNARY,
          "The " + operator + " accumulator is a unary operator");
    }
    if (!AccumulatorTable.isKnown(operator)) {
      throw new CommandException(
          ErrorCode.GROUP_ACCUMULATOR_UNKNOWN, "unknown group operator '" + operator + "'");
    }
    return new GroupField(name, AccumulatorTable.parse(operator, operators.value(), parser));
  }

  /** Reads all fields of a document. */
  static List<GroupField> parseAll(RawDocument specs, ExpressionParser parser) {
    var fields = new ArrayList<GroupField>();
    ElementCursor elements = specs.elements();
    while (elements.next()) {
      fields.add(parse(elements.name(), elements.value(), parser));
    }
    return fields;
  }

  /** Appends the field as explain shows it. */
  void explain(BsonBuilder out) {
    out.appendDocument(name, accumulator.explained());
  }
}
