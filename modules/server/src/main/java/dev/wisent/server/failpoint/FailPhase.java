package dev.wisent.server.failpoint;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.ArgumentTypes;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the fail point {@code coordinatorPhase} does: at one point of a coordinator it waits, or
 * ends the run as the death of the node would.
 *
 * @param crash whether to end the run; otherwise it waits for as long as the fail point is on
 * @param left how often it still acts
 */
record FailPhase(String point, boolean crash, AtomicLong left) {
  static FailPhase parse(long skips, long times, RawDocument data) {
    RawValue point = data.get("point");
    RawValue action = data.get("action");
    if (skips != 0 || point == null || action == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "this fail point takes data: {point: <name>, action: 'hang' or 'crash'}, and no 'skip'");
    }
    String what = ArgumentTypes.string("data.action", action);
    if (!what.equals("hang") && !what.equals("crash")) {
      throw ArgumentTypes.notInEnumeration("data.action", what);
    }
    return new FailPhase(
        ArgumentTypes.string("data.point", point), what.equals("crash"), new AtomicLong(times));
  }

  /** Whether it acts at a point, which counts. */
  boolean actsAt(String reached) {
    return point.equals(reached) && left.getAndDecrement() > 0;
  }
}
