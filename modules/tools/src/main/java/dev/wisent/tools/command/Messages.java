package dev.wisent.tools.command;

import java.io.PrintStream;

/**
 * What a tool says about its work, on standard error: standard output may be what it makes.
 * Thread-safe.
 */
public final class Messages {
  private final PrintStream err;
  private final int level;

  /** How long the line is that {@link #draw} has written last; guarded by this. */
  private int drawn;

  /**
   * @param level negative for silence, 0 for what is normal, more for details
   */
  public Messages(PrintStream err, int level) {
    this.err = err;
    this.level = level;
  }

  /** By the flags {@code --quiet} and {@code --verbose}. */
  public static Messages of(Flags flags, PrintStream err) {
    return new Messages(err, flags.on("quiet") ? -1 : flags.count("verbose"));
  }

  public boolean isQuiet() {
    return level < 0;
  }

  public void say(String text) {
    say(0, text);
  }

  /** From a level of details on. */
  public synchronized void say(int from, String text) {
    if (level >= from) {
      print(text);
    }
  }

  /** What has to be known, also with {@code --quiet}. */
  public synchronized void warn(String text) {
    print(text);
  }

  private void print(String text) {
    clear();
    err.println(text);
    err.flush();
  }

  /** Writes a line over the last one that was drawn; messages are written above it. */
  synchronized void draw(String line) {
    err.print("\r" + line + " ".repeat(Math.max(0, drawn - line.length())));
    err.flush();
    drawn = line.length();
  }

  /** Ends drawing: the line stays. */
  synchronized void drawnLast() {
    err.println();
    err.flush();
    drawn = 0;
  }

  private void clear() {
    if (drawn > 0) {
      err.print("\r" + " ".repeat(drawn) + "\r");
      drawn = 0;
    }
  }
}
