package dev.wisent.cluster.config.balancer;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.time.LocalTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time of day in which data moves. It may reach over midnight. */
record ActiveWindow(LocalTime start, LocalTime stop) {
  private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{1,2})");
  private static final int HOURS = 24;
  private static final int MINUTES = 60;

  /** Null where the field is missing. */
  static ActiveWindow of(RawDocument settings) {
    RawValue window = settings.get("activeWindow");
    if (window == null) {
      return null;
    }
    if (!window.isDocument()) {
      throw bad("activeWindow has to be a document, and is " + ValueText.of(window));
    }
    RawDocument given = window.asDocument();
    LocalTime start = time(given.get("start"));
    LocalTime stop = time(given.get("stop"));
    if (start == null || stop == null) {
      throw bad(
          "must specify both start and stop of balancing window in the format HH:MM: "
              + ValueText.of(given));
    }
    if (start.equals(stop)) {
      throw bad("start and stop times must be different: " + ValueText.of(given));
    }
    return new ActiveWindow(start, stop);
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  private static LocalTime time(RawValue value) {
    if (value == null || !value.isString()) {
      return null;
    }
    Matcher parts = TIME.matcher(value.asString());
    if (!parts.matches()) {
      return null;
    }
    int hour = Integer.parseInt(parts.group(1));
    int minute = Integer.parseInt(parts.group(2));
    return hour < HOURS && minute < MINUTES ? LocalTime.of(hour, minute) : null;
  }

  boolean contains(LocalTime time) {
    return start.isBefore(stop)
        ? !time.isBefore(start) && !time.isAfter(stop)
        : !time.isBefore(start) || !time.isAfter(stop);
  }
}
