package dev.wisent.query.expression.array;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.Values;
import dev.wisent.query.order.ElementOrder;
import java.util.Arrays;
import java.util.List;

/** {@code $sortArray}. */
final class SortArrayExpression extends Expression {
  private static final NamedArguments.Complaints COMPLAINTS =
      new NamedArguments.Complaints(
          ErrorCode.SORT_ARRAY_NOT_OBJECT,
          "$sortArray requires an object as an argument, found: %s",
          ErrorCode.SORT_ARRAY_UNKNOWN,
          "$sortArray found an unknown argument: %s");

  private final RawValue sortBy;
  private final ElementOrder order;
  private Expression input;

  private SortArrayExpression(Expression input, RawValue sortBy, ElementOrder order) {
    this.input = input;
    this.sortBy = sortBy;
    this.order = order;
  }

  static Expression parse(ExpressionParser parser, RawValue argument) {
    NamedArguments arguments = NamedArguments.read(argument, COMPLAINTS, "input", "sortBy");
    RawValue input =
        arguments.require(
            "input",
            ErrorCode.SORT_ARRAY_WITHOUT_INPUT,
            "$sortArray requires 'input' to be specified");
    RawValue sortBy =
        arguments.require(
            "sortBy",
            ErrorCode.SORT_ARRAY_WITHOUT_SORT_BY,
            "$sortArray requires 'sortBy' to be specified");
    checkOrder(sortBy);
    return new SortArrayExpression(
        parser.parse(input), sortBy, ElementOrder.parse(sortBy, parser.context().collation()));
  }

  /** The same complaints that {@code $push} has, but with codes of their own. */
  private static void checkOrder(RawValue sortBy) {
    if (sortBy.isDocument()) {
      return;
    }
    if (!sortBy.isNumber()) {
      throw new CommandException(
          ErrorCode.SORT_ARRAY_ORDER_TYPE,
          "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort"
              + " embedded fields");
    }
    if (Math.abs(sortBy.toDouble()) != 1) {
      throw new CommandException(
          ErrorCode.SORT_ARRAY_DIRECTION, "The $sort element value must be either 1 or -1");
    }
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue array = input.counted(frame);
    if (Values.isNullish(array)) {
      return RawValue.NULL;
    }
    if (!array.isArray()) {
      throw new CommandException(
          ErrorCode.SORT_ARRAY_INPUT_NOT_ARRAY,
          "The input argument to $sortArray must be an array, but was of type: "
              + Values.typeName(array));
    }
    List<RawValue> elements = Arrays.asList(ArrayBuilder.elements(array));
    order.apply(elements);
    return ArrayBuilder.of(elements);
  }

  @Override
  public Expression optimize() {
    input = input.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder().startDocument("$sortArray");
    out.append("input", input.serialize()).append("sortBy", sortBy);
    return RawValue.ofDocument(out.end().toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }
}
