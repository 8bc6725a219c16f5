package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A row of the table of parameters.
 *
 * @param change null for one that cannot be changed
 * @param atRuntime whether setParameter may change it
 * @param atStart whether {@code --setParameter} may set it
 */
record ServerParameter(
    String name,
    Supplier<RawValue> value,
    Consumer<RawValue> change,
    boolean atRuntime,
    boolean atStart) {

  /** A fact about this server. */
  static ServerParameter fixed(String name, RawValue value) {
    return new ServerParameter(name, () -> value, null, false, false);
  }

  /** One that {@code --setParameter} has set, of which nothing is left to do here. */
  static ServerParameter atStart(String name, RawValue value) {
    return new ServerParameter(name, () -> value, given -> {}, false, true);
  }

  /** One that can be changed at any time. */
  static ServerParameter of(String name, Supplier<RawValue> value, Consumer<RawValue> change) {
    return new ServerParameter(name, value, change, true, true);
  }

  static ServerParameter flag(String name, Supplier<Boolean> value, Consumer<Boolean> change) {
    return of(
        name, () -> RawValue.ofBoolean(value.get()), given -> change.accept(flag(name, given)));
  }

  /** A whole number that clients see with 64 bits. */
  static ServerParameter number(String name, long min, LongSupplier value, LongConsumer change) {
    return number(name, min, Long.MAX_VALUE, value, change);
  }

  static ServerParameter number(
      String name, long min, long max, LongSupplier value, LongConsumer change) {
    return of(
        name,
        () -> RawValue.ofInt64(value.getAsLong()),
        given -> change.accept(within(name, given, min, max)));
  }

  /** A whole number that clients see with 32 bits. */
  static ServerParameter smallNumber(
      String name, long min, LongSupplier value, LongConsumer change) {
    return of(
        name,
        () -> RawValue.ofInt32((int) value.getAsLong()),
        given -> change.accept(within(name, given, min, Integer.MAX_VALUE)));
  }

  /** A flag that may be given as it is, but not be turned. */
  static ServerParameter only(String name, boolean value, String why) {
    return flag(
        name,
        () -> value,
        given -> {
          if (given != value) {
            throw bad(name, given + " is not supported: " + why);
          }
        });
  }

  private static boolean flag(String name, RawValue given) {
    if (given.isString()) {
      throw bad(name, "'" + given.asString() + "' is neither true nor false");
    }
    return given.isTruthy();
  }

  static long within(String name, RawValue given, long min, long max) {
    if (!given.isNumber()) {
      throw bad(name, "not a number");
    }
    long number = given.toLong();
    if (number < min) {
      throw bad(name, number + " is not greater than or equal to " + min);
    }
    if (number > max) {
      throw bad(name, number + " is not less than or equal to " + max);
    }
    return number;
  }

  static CommandException bad(String name, String why) {
    return new CommandException(
        ErrorCode.BAD_VALUE, "Invalid value for parameter " + name + ": " + why);
  }
}
