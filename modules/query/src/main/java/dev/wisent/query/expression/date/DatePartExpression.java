package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** {@code $year}, {@code $month} and the other parts of a date, in UTC or another zone. */
final class DatePartExpression extends OperatorExpression {
  private static final String[] KEYS = {"date", "timezone"};

  private final DateParts part;

  /** Known in advance; null where it depends on the document. */
  private ZoneId zone;

  private DatePartExpression(DateParts part, Expression date, Expression timezone) {
    super(part.operator(), KEYS, date, timezone);
    this.part = part;
    this.zone = timezone == null ? ZoneOffset.UTC : null;
  }

  static ExpressionRow row(DateParts part) {
    return new ExpressionRow(
        part.operator(),
        ExpressionRow.Family.DATE,
        "2.2",
        (parser, argument) -> parse(part, parser, argument));
  }

  private static Expression parse(DateParts part, ExpressionParser parser, RawValue argument) {
    if (argument.isDocument() && !isOperator(argument.asDocument())) {
      return named(part, parser, argument.asDocument());
    }
    Expression[] arguments = parser.arguments(argument);
    if (arguments.length != 1) {
      throw new CommandException(
          ErrorCode.DATE_PART_ARITY,
          part.operator()
              + " accepts exactly one argument if given an array, but was given "
              + arguments.length);
    }
    return new DatePartExpression(part, arguments[0], null);
  }

  private static boolean isOperator(RawDocument document) {
    ElementCursor fields = document.elements();
    return fields.next() && fields.nameStartsWith('$');
  }

  private static Expression named(DateParts part, ExpressionParser parser, RawDocument document) {
    Expression date = null;
    Expression timezone = null;
    ElementCursor fields = document.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "date" -> date = parser.parse(fields.value());
        case "timezone" -> timezone = parser.parse(fields.value());
        default ->
            throw new CommandException(
                ErrorCode.DATE_PART_UNKNOWN,
                "unrecognized option to " + part.operator() + ": \"" + fields.name() + "\"");
      }
    }
    if (date == null) {
      throw new CommandException(
          ErrorCode.DATE_PART_WITHOUT_DATE,
          "missing 'date' argument to "
              + part.operator()
              + ", provided: "
              + part.operator()
              + ": "
              + ValueText.of(document));
    }
    return new DatePartExpression(part, date, timezone);
  }

  @Override
  public Expression optimize() {
    Expression optimized = super.optimize();
    if (optimized == this && argument(1) != null && argument(1).isConstant()) {
      zone = zone(argument(1).counted(Frame.ofConstants()));
    }
    return optimized;
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue date = value(0, frame);
    if (Values.isNullish(date)) {
      return RawValue.NULL;
    }
    long millis = Dates.millis(date);
    ZoneId in = zone == null ? zone(value(1, frame)) : zone;
    return in == null ? RawValue.NULL : part.of(Dates.in(millis, in));
  }

  private ZoneId zone(RawValue value) {
    if (Values.isNullish(value)) {
      return null;
    }
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.DATE_PART_TIME_ZONE_TYPE,
          name()
              + " requires a string for the timezone argument, but was given a "
              + Values.typeName(value)
              + " ("
              + Values.text(value)
              + ")");
    }
    return TimeZones.of(value.asString());
  }
}
