package dev.wisent.operation.index;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;

/** How long documents live, as indexes and clustered collections are told. */
public final class ExpireAfterSeconds {
  private ExpireAfterSeconds() {}

  /** The value of an index: up to a 32-bit number. */
  public static int ofIndex(RawValue value) {
    if (!value.isNumber()) {
      throw IndexKeyCheck.cannotCreate(
          "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '"
              + ElementType.alias(value.type())
              + "'");
    }
    if (Double.isNaN(value.toDouble())) {
      throw IndexKeyCheck.cannotCreate("TTL index 'expireAfterSeconds' option must not be NaN");
    }
    long seconds = value.toLong();
    if (seconds != (int) seconds) {
      throw IndexKeyCheck.cannotCreate(
          "TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer");
    }
    if (seconds < 0) {
      throw IndexKeyCheck.cannotCreate(
          "TTL index 'expireAfterSeconds' option cannot be less than 0");
    }
    return (int) seconds;
  }

  /** The value of a clustered collection, which cannot reach back before the epoch. */
  public static long ofCollection(long seconds, long nowMillis) {
    if (seconds < 0) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "TTL index 'expireAfterSeconds' option cannot be less than 0");
    }
    if (seconds > nowMillis / 1000) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower"
              + " number");
    }
    return seconds;
  }
}
