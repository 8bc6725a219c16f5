package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** {@code $currentDate}: the time as a date or as a timestamp. */
record CurrentDateUpdate(boolean asTimestamp, UpdateContext context) implements FieldOperator {
  static CurrentDateUpdate parse(RawValue argument, UpdateContext context) {
    return switch (argument.type()) {
      // false means the same as true.
      case ElementType.BOOLEAN -> new CurrentDateUpdate(false, context);
      case ElementType.DOCUMENT -> new CurrentDateUpdate(parseType(argument), context);
      default ->
          throw new CommandException(
              ErrorCode.BAD_VALUE,
              ElementType.alias(argument.type())
                  + " is not valid type for $currentDate. Please use a boolean ('true') or a $type"
                  + " expression ({$type: 'timestamp/date'}).");
    };
  }

  private static boolean parseType(RawValue argument) {
    String type = null;
    ElementCursor cursor = argument.elements();
    while (cursor.next()) {
      if (!cursor.name().equals("$type")) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "Unrecognized $currentDate option: " + cursor.name());
      }
      type = cursor.type() == ElementType.STRING ? cursor.value().asString() : null;
    }
    if (!"date".equals(type) && !"timestamp".equals(type)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The '$type' string field is required to be 'date' or 'timestamp': "
              + "{$currentDate: {field : {$type: 'date'}}}");
    }
    return type.equals("timestamp");
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    return create();
  }

  @Override
  public RawValue create() {
    return asTimestamp
        ? RawValue.ofTimestamp(context.nextTimestamp().getAsLong())
        : RawValue.ofDate(context.nowMillis());
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }
}
