package dev.wisent.pipeline.window;

import static dev.wisent.base.ErrorCode.FAILED_TO_PARSE;

import dev.wisent.base.CommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;

/**
 * What an output field is to be, <code>{$name: argument, window: …}</code>, as the parser of its
 * function sees it.
 *
 * @param name that of the function
 * @param fields all that stands there
 * @param sortBy how the documents are sorted; null if they are not
 */
record FunctionSpec(
    String name, RawDocument fields, SortPattern sortBy, ExpressionParser expressions) {
  private static final String WINDOW = "window";

  /** What was given to a function. */
  record Arguments(RawValue argument, WindowBounds bounds) {}

  /** The argument and the window; everything where there is none. */
  Arguments arguments() {
    return new Arguments(only(true), bounds(WindowBounds.ALL));
  }

  /** The argument of a function that has no window. */
  RawValue argumentWithoutWindow() {
    RawValue argument = only(true);
    require(fields.get(WINDOW) == null, "'window' field is not allowed in " + name);
    return argument;
  }

  /** The argument of a function that complains in its own name. */
  RawValue ownArgument() {
    return only(false);
  }

  private RawValue only(boolean general) {
    ElementCursor each = fields.elements();
    while (each.next()) {
      String field = each.name();
      if (field.equals(WINDOW) || field.equals(name)) {
        continue;
      }
      require(
          !general || !WindowFunctionTable.isKnown(field),
          "Cannot specify " + several() + " functions in window function spec");
      require(!general, "Window function found an unknown argument: " + field);
      require(false, name + " got unexpected argument: " + field);
    }
    return fields.get(name);
  }

  /** MongoDB has two parsers for most functions, which count differently. */
  private String several() {
    return name.equals("$count") || name.equals("$shift") ? "multiple" : "two";
  }

  boolean hasWindow() {
    return fields.get(WINDOW) != null;
  }

  /** The window. */
  WindowBounds bounds(WindowBounds byDefault) {
    RawValue window = fields.get(WINDOW);
    return window == null ? byDefault : new WindowBoundsParser(expressions, sortBy).parse(window);
  }

  Expression parse(RawValue expression) {
    return expressions.parse(expression).optimize();
  }

  /** The value that documents are sorted by, if it is one field; else null. */
  Expression sortValue() {
    return sortBy == null || sortBy.parts().size() != 1 || sortBy.hasMetadata()
        ? null
        : expressions.parse(RawValue.ofString("$" + sortBy.parts().getFirst().path()));
  }

  static void require(boolean condition, String complaint) {
    if (!condition) {
      throw new CommandException(FAILED_TO_PARSE, complaint);
    }
  }
}
