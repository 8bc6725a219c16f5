package dev.wisent.pipeline.accumulator;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import java.util.Arrays;

/** What each of many groups holds, where that needs an object. */
final class StateList<S> {
  private Object[] states = new Object[16];

  void set(int group, S state) {
    if (group >= states.length) {
      states = Arrays.copyOf(states, 2 * states.length);
    }
    states[group] = state;
  }

  @SuppressWarnings("unchecked") // only set puts something in
  S get(int group) {
    return (S) states[group];
  }

  /** Null for a group that has never begun. */
  S find(int group) {
    return group < states.length ? get(group) : null;
  }

  /** What the list itself takes. */
  long bytes() {
    return 4L * states.length;
  }

  /** Refuses to hold more for one group than files could help with. */
  static void checkSize(String name, long bytes) {
    if (bytes > Limits.GATHERED_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.EXCEEDED_MEMORY_LIMIT,
          name
              + " used too much memory and cannot spill to disk. Memory limit: "
              + Limits.GATHERED_BYTES_MAX
              + " bytes");
    }
  }
}
