package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.NamedArguments;
import dev.wisent.query.expression.OperatorExpression;
import dev.wisent.query.expression.Values;
import java.time.ZoneId;

/**
 * {@code $dateAdd} and {@code $dateSubtract}. Days and larger units keep the time of day in their
 * zone, and the last day of a month where there is no such day; hours and smaller ones are lengths
 * of time.
 */
final class DateAddExpression extends OperatorExpression {
  private static final String[] KEYS = {"startDate", "unit", "amount", "timezone"};

  private final boolean subtract;

  private DateAddExpression(String name, boolean subtract, Expression[] arguments) {
    super(name, KEYS, arguments);
    this.subtract = subtract;
  }

  static ExpressionRow row(String name, boolean subtract) {
    return new ExpressionRow(
        name,
        ExpressionRow.Family.DATE,
        "5.0",
        (parser, argument) -> parse(name, subtract, parser, argument));
  }

  private static Expression parse(
      String name, boolean subtract, ExpressionParser parser, RawValue argument) {
    NamedArguments arguments =
        NamedArguments.read(
            argument,
            new NamedArguments.Complaints(
                ErrorCode.DATE_ADD_NOT_OBJECT,
                name + " expects an object as its argument",
                ErrorCode.DATE_ADD_UNKNOWN,
                "Unrecognized argument to "
                    + name
                    + ": %s. Expected arguments are startDate, unit, amount, and optionally"
                    + " timezone."),
            KEYS);
    if (!arguments.has("startDate") || !arguments.has("unit") || !arguments.has("amount")) {
      throw new CommandException(
          ErrorCode.DATE_ADD_INCOMPLETE,
          name + " requires startDate, unit, and amount to be present");
    }
    return new DateAddExpression(name, subtract, arguments.parse(parser));
  }

  @Override
  public RawValue evaluate(Frame frame) {
    RawValue start = value(0, frame);
    RawValue unit = value(1, frame);
    RawValue amount = value(2, frame);
    if (Values.isNullish(start) || Values.isNullish(unit) || Values.isNullish(amount)) {
      return RawValue.NULL;
    }
    ZoneId zone = TimeZones.evaluate(argument(3), frame);
    if (zone == null) {
      return RawValue.NULL;
    }
    if (!Dates.isDate(start)) {
      throw new CommandException(
          ErrorCode.DATE_ADD_START_TYPE,
          name() + " requires startDate to be convertible to a date");
    }
    if (!unit.isString()) {
      throw new CommandException(
          ErrorCode.DATE_ADD_UNIT_TYPE, name() + " expects string defining the time unit");
    }
    TimeUnit parsed = TimeUnit.of(unit.asString());
    if (parsed == null) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "unknown time unit value: " + unit.asString());
    }
    if (!Values.isInt64(amount)) {
      throw new CommandException(
          ErrorCode.DATE_ADD_AMOUNT_TYPE, name() + " expects integer amount of time units");
    }
    return RawValue.ofDate(parsed.add(Dates.millis(start), signed(amount.toLong()), zone));
  }

  private long signed(long amount) {
    if (subtract && amount == Long.MIN_VALUE) {
      throw new CommandException(
          ErrorCode.DATE_SUBTRACT_OVERFLOW,
          "invalid $dateSubtract 'amount' parameter value: " + amount);
    }
    return subtract ? -amount : amount;
  }
}
