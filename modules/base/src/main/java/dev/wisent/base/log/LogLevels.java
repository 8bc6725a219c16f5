package dev.wisent.base.log;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How much debug output each component writes: 0 none, 5 all. A component without a level of its
 * own follows its parent.
 */
public final class LogLevels {
  /** The setting of a component that follows its parent. */
  public static final int INHERIT = -1;

  /** The highest verbosity. */
  public static final int VERBOSITY_MAX = 5;

  private static final LogComponent[] COMPONENTS = LogComponent.values();

  /** What was asked for, {@link #INHERIT} included. Guarded by this. */
  private final int[] settings = new int[COMPONENTS.length];

  /** What that comes to, so that a check on the hot path is one read. */
  private final AtomicIntegerArray effective = new AtomicIntegerArray(COMPONENTS.length);

  /** Only information and worse. */
  public LogLevels() {
    for (int i = 1; i < settings.length; i++) {
      settings[i] = INHERIT;
    }
  }

  /** The verbosity in force. */
  public int verbosity(LogComponent component) {
    return effective.get(component.ordinal());
  }

  /** The verbosity as it was set, {@link #INHERIT} when it was not. */
  public synchronized int setting(LogComponent component) {
    return settings[component.ordinal()];
  }

  /** Sets a component's verbosity, or makes it follow its parent again. */
  public synchronized void set(LogComponent component, int verbosity) {
    int lowest = component == LogComponent.DEFAULT ? 0 : INHERIT;
    if (verbosity < lowest || verbosity > VERBOSITY_MAX) {
      throw new IllegalArgumentException(
          "verbosity " + verbosity + " is not in " + lowest + ".." + VERBOSITY_MAX);
    }
    settings[component.ordinal()] = verbosity;
    // Parents are declared before their children, so one pass reaches everything.
    for (LogComponent c : COMPONENTS) {
      int own = settings[c.ordinal()];
      effective.set(
          c.ordinal(), own == INHERIT ? effective.get(c.parent().orElseThrow().ordinal()) : own);
    }
  }
}
