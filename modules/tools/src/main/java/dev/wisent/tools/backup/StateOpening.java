package dev.wisent.tools.backup;

import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Has servers fix their states, each on a thread of its own. The caller's thread waits until all
 * have done so, or until the user ends the tool: a server can take long. A state that is fixed
 * after the end is given up at once. Thread-safe.
 */
final class StateOpening {
  private final OpenState[] states; // guarded by this
  private boolean ended; // guarded by this

  /** Has one server fix its state. */
  @FunctionalInterface
  interface Opening {
    /** Null if the server can not, and all are to begin again. */
    OpenState open() throws ToolException;
  }

  private StateOpening(int count) {
    states = new OpenState[count];
  }

  /** The states in the order of the openings; null if one of them has none. */
  static List<OpenState> run(Surroundings surroundings, List<Opening> openings)
      throws ToolException {
    var opening = new StateOpening(openings.size());
    List<Workers.Task> tasks = new ArrayList<>();
    for (int i = 0; i < openings.size(); i++) {
      int number = i;
      tasks.add(() -> opening.add(number, openings.get(number).open()));
    }
    List<OpenState> all = null;
    try {
      Workers.start(surroundings.scheduler(), "begin", tasks.size(), tasks)
          .join(surroundings.interruption());
      all = opening.all();
    } finally {
      if (all == null) {
        opening.giveUp();
      }
    }
    return all;
  }

  private void add(int number, OpenState state) {
    if (state != null && !isTaken(number, state)) {
      state.close();
    }
  }

  private synchronized boolean isTaken(int number, OpenState state) {
    if (!ended) {
      states[number] = state;
    }
    return !ended;
  }

  private synchronized List<OpenState> all() {
    return Arrays.stream(states).anyMatch(Objects::isNull) ? null : List.of(states);
  }

  private synchronized List<OpenState> end() {
    ended = true;
    return Arrays.stream(states).filter(Objects::nonNull).toList();
  }

  private void giveUp() {
    end().forEach(OpenState::close);
  }
}
