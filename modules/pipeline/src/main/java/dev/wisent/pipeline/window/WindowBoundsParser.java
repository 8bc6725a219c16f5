package dev.wisent.pipeline.window;

import static dev.wisent.base.ErrorCode.FAILED_TO_PARSE;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.pipeline.window.WindowBounds.Bound;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import dev.wisent.query.expression.date.TimeUnit;
import java.util.function.Predicate;

/** Reads the {@code window} of an output field. */
final class WindowBoundsParser {
  private static final RawValue ZERO = RawValue.ofInt32(0);

  private final ExpressionParser expressions;
  private final SortPattern sortBy;

  /**
   * @param sortBy how the documents are sorted; null if they are not
   */
  WindowBoundsParser(ExpressionParser expressions, SortPattern sortBy) {
    this.expressions = expressions;
    this.sortBy = sortBy;
  }

  WindowBounds parse(RawValue argument) {
    require(argument.isDocument(), "'window' field must be an object");
    RawDocument window = argument.asDocument();
    RawValue documents = window.get("documents");
    RawValue range = window.get("range");
    RawValue unit = window.get("unit");
    int fields = window.fieldCount();
    require(
        documents == null || range == null,
        "Window bounds can specify either 'documents' or 'unit', not both.");
    require(
        range != null || unit == null,
        "Window bounds can only specify 'unit' with range-based bounds.");
    if (range != null) {
      return range(range, unit, fields);
    }
    if (documents != null) {
      require(fields == 1, "'window' field that specifies documents cannot have other fields");
      return documents(documents);
    }
    require(
        fields == 0,
        "'window' field can only contain 'documents' as the only argument or 'range' with an"
            + " optional 'unit' field");
    return WindowBounds.ALL;
  }

  private WindowBounds documents(RawValue argument) {
    Bound[] bounds =
        bounds(
            "documents",
            argument,
            Values::isInt32,
            "Numeric document-based bounds must be an integer");
    var window = WindowBounds.ofDocuments(bounds[0], bounds[1]);
    if (sortBy == null && !window.equals(WindowBounds.ALL)) {
      throw new CommandException(
          ErrorCode.WINDOW_DOCUMENTS_UNSORTED, "Document-based bounds require a sortBy");
    }
    return window;
  }

  private WindowBounds range(RawValue argument, RawValue unit, int fields) {
    Bound[] bounds;
    TimeUnit parsed = null;
    if (unit == null) {
      require(
          fields == 1,
          "'window' field that specifies range cannot have other fields besides 'unit'");
      bounds =
          bounds(
              "range",
              argument,
              RawValue::isNumber,
              "Range-based bounds expression must be a number");
    } else {
      require(
          fields == 2,
          "'window' field that specifies unit cannot have other fields besides 'range'");
      require(unit.isString(), "'unit' must be a string");
      bounds =
          bounds(
              "range",
              argument,
              Values::isInt32,
              "With 'unit', range-based bounds must be an integer");
      parsed = unit(unit.asString());
    }
    checkSorted();
    return new WindowBounds(true, bounds[0], bounds[1], parsed);
  }

  /** A unit of time by its name. */
  static TimeUnit unit(String name) {
    TimeUnit unit = TimeUnit.of(name);
    require(unit != null, "unknown time unit value: " + name);
    return unit;
  }

  private void checkSorted() {
    if (sortBy == null || sortBy.parts().size() != 1) {
      throw new CommandException(
          ErrorCode.WINDOW_RANGE_SORT, "Range-based bounds require sortBy a single field");
    }
    if (sortBy.hasMetadata()) {
      throw new CommandException(
          ErrorCode.WINDOW_RANGE_SORT_EXPRESSION,
          "Range-based bounds require a non-expression sortBy");
    }
    if (sortBy.parts().getFirst().descending()) {
      throw new CommandException(
          ErrorCode.WINDOW_RANGE_SORT_DESCENDING, "Range-based bounds require an ascending sortBy");
    }
  }

  private Bound[] bounds(
      String name, RawValue argument, Predicate<RawValue> allowed, String complaint) {
    require(
        argument.isArray() && argument.asDocument().fieldCount() == 2,
        "Window bounds must be a 2-element array: " + name + ": " + ValueText.of(argument));
    Bound lower = bound(argument.asDocument().get("0"), allowed, complaint);
    Bound upper = bound(argument.asDocument().get("1"), allowed, complaint);
    checkOrder(lower, upper);
    return new Bound[] {lower, upper};
  }

  private Bound bound(RawValue argument, Predicate<RawValue> allowed, String complaint) {
    if (argument.isString()) {
      String text = argument.asString();
      require(
          text.equals("unbounded") || text.equals("current"),
          "Window bounds must be 'unbounded', 'current', or a number.");
      return text.equals("current") ? Bound.CURRENT : Bound.UNBOUNDED;
    }
    Expression expression = expressions.parse(argument).optimize();
    require(expression.isConstant(), "Window bounds expression must be a constant.");
    RawValue offset = expression.evaluate(Frame.ofConstants());
    require(offset != null && allowed.test(offset), complaint);
    return Bound.of(offset.detached());
  }

  private static void checkOrder(Bound lower, Bound upper) {
    if (lower.kind() == Bound.Kind.UNBOUNDED || upper.kind() == Bound.Kind.UNBOUNDED) {
      return;
    }
    RawValue from = lower.offset() == null ? ZERO : lower.offset();
    RawValue to = upper.offset() == null ? ZERO : upper.offset();
    if (ValueOrder.compare(from, to) > 0) {
      throw new CommandException(
          ErrorCode.WINDOW_BOUNDS_REVERSED,
          "Lower bound must not exceed upper bound: ["
              + Values.text(from)
              + ", "
              + Values.text(to)
              + "]");
    }
  }

  private static void require(boolean condition, String complaint) {
    if (!condition) {
      throw new CommandException(FAILED_TO_PARSE, complaint);
    }
  }
}
