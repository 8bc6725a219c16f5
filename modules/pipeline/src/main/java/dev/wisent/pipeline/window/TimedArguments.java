package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.date.TimeUnit;

/**
 * The arguments of {@code $derivative} and {@code $integral}, which are about a value and the one
 * that documents are sorted by.
 *
 * @param points an array of the sort value and the input
 * @param unit what results are per, or times; null where documents are sorted by numbers
 * @param bounds null where none were given
 */
record TimedArguments(
    String name, Expression input, Expression points, TimeUnit unit, WindowBounds bounds) {
  static TimedArguments parse(FunctionSpec spec) {
    String name = spec.name();
    checkSort(name, spec.sortBy());
    RawValue argument = spec.ownArgument();
    WindowBounds bounds = spec.bounds(null);
    FunctionSpec.require(
        argument.isDocument(),
        name
            + " expects an object, but got a "
            + Values.typeName(argument)
            + ": "
            + name
            + ": "
            + ValueText.of(argument));
    RawValue input = null;
    TimeUnit unit = null;
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "input" -> input = fields.value();
        case "unit" -> unit = unit(fields.value());
        default -> FunctionSpec.require(false, name + " got unexpected argument: " + fields.name());
      }
    }
    FunctionSpec.require(input != null, name + " requires an 'input' expression");
    Expression points =
        spec.parse(
            RawValue.ofArray(
                new BsonBuilder()
                    .append(0, RawValue.ofString("$" + spec.sortBy().parts().getFirst().path()))
                    .append(1, input)
                    .toDocument()));
    return new TimedArguments(name, spec.parse(input), points, unit, bounds);
  }

  private static void checkSort(String name, SortPattern sortBy) {
    FunctionSpec.require(sortBy != null, name + " requires a sortBy");
    FunctionSpec.require(sortBy.parts().size() == 1, name + " requires a non-compound sortBy");
    FunctionSpec.require(!sortBy.hasMetadata(), name + " requires a non-expression sortBy");
  }

  private static TimeUnit unit(RawValue argument) {
    FunctionSpec.require(
        argument.isString(), "unit' must be a string, but got " + Values.typeName(argument));
    TimeUnit unit = WindowBoundsParser.unit(argument.asString());
    if (unit.compareTo(TimeUnit.WEEK) < 0) {
      throw new CommandException(ErrorCode.WINDOW_UNIT_TOO_LARGE, "unit must be 'week' or smaller");
    }
    return unit;
  }

  /** Appends the function as explain shows it. */
  void explain(WindowBounds window, BsonBuilder out) {
    out.startDocument(name).append("input", input.serialize());
    if (unit != null) {
      out.appendString("unit", unit.text());
    }
    out.end();
    window.explain(out);
  }
}
