package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the fail point {@code coordinatorPhase} does: at one point of a coordinator it waits, fails,
 * or ends the run as the death of the node would.
 *
 * @param point its name; one that begins with {@code *} is any that ends with the rest
 * @param left how often it still acts
 */
record FailPhase(String point, Action action, AtomicLong left) {
  /** What happens at the point. */
  enum Action {
    /** For as long as the fail point is on. */
    HANG,
    FAIL,
    CRASH
  }

  static FailPhase parse(long skips, long times, RawDocument data) {
    RawValue point = data.get("point");
    RawValue action = data.get("action");
    if (skips != 0 || point == null || action == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "this fail point takes data: {point: <name>, action: 'hang', 'fail' or 'crash'}, and no"
              + " 'skip'");
    }
    String what = ArgumentTypes.string("data.action", action);
    Action found =
        switch (what) {
          case "hang" -> Action.HANG;
          case "fail" -> Action.FAIL;
          case "crash" -> Action.CRASH;
          default -> throw ArgumentTypes.notInEnumeration("data.action", what);
        };
    return new FailPhase(ArgumentTypes.string("data.point", point), found, new AtomicLong(times));
  }

  /** Whether it acts at a point, which counts. */
  boolean actsAt(String reached) {
    boolean named =
        point.startsWith("*") ? reached.endsWith(point.substring(1)) : point.equals(reached);
    return named && left.getAndDecrement() > 0;
  }
}
