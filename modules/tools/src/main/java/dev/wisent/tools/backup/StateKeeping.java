package dev.wisent.tools.backup;

import com.mongodb.MongoException;
import dev.wisent.base.Scheduler;
import java.time.Duration;
import java.util.List;

/**
 * Reads nothing of each state from time to time. A server discards a state that is not read for
 * some minutes, and the files of the others may take longer than that. Thread-safe.
 */
final class StateKeeping implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final List<OpenState> states;
  private final Scheduler.Task task;

  private StateKeeping(Scheduler scheduler, List<OpenState> states) {
    this.states = List.copyOf(states);
    this.task = scheduler.every(PERIOD, "backup-keep", this::keep);
  }

  static StateKeeping start(Scheduler scheduler, List<OpenState> states) {
    return new StateKeeping(scheduler, states);
  }

  private void keep() {
    for (OpenState state : states) {
      try {
        state.keep();
      } catch (MongoException | IllegalStateException e) {
        // The next read of a file says what is wrong; a closed client is the end of the run.
      }
    }
  }

  @Override
  public void close() {
    task.cancel();
  }
}
