package dev.wisent.query.expression.date;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time zones by the names of the Olson database, or as offsets from UTC. */
final class TimeZones {
  private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2})(?::?(\\d{2}))?");
  private static final Set<String> NAMES = ZoneId.getAvailableZoneIds();

  private TimeZones() {}

  /**
   * The zone that an argument gives; UTC where there is no argument.
   *
   * @return null where the argument is null or missing
   */
  static ZoneId evaluate(Expression argument, Frame frame) {
    if (argument == null) {
      return ZoneOffset.UTC;
    }
    RawValue value = argument.counted(frame);
    if (Values.isNullish(value)) {
      return null;
    }
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.TIME_ZONE_TYPE,
          "timezone must evaluate to a string, found " + Values.typeName(value));
    }
    return of(value.asString());
  }

  static ZoneId of(String name) {
    if (name.equals("UTC")) {
      return ZoneOffset.UTC;
    }
    if (NAMES.contains(name)) {
      return ZoneId.of(name);
    }
    Matcher offset = OFFSET.matcher(name);
    if (offset.matches()) {
      int hours = Integer.parseInt(offset.group(2));
      int minutes = offset.group(3) == null ? 0 : Integer.parseInt(offset.group(3));
      int seconds = (hours * 60 + minutes) * 60;
      try {
        return ZoneOffset.ofTotalSeconds(offset.group(1).equals("-") ? -seconds : seconds);
      } catch (DateTimeException e) {
        throw unrecognized(name);
      }
    }
    throw unrecognized(name);
  }

  private static CommandException unrecognized(String name) {
    return new CommandException(
        ErrorCode.TIME_ZONE_UNKNOWN, "unrecognized time zone identifier: \"" + name + "\"");
  }
}
