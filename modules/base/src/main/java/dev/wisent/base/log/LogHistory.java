package dev.wisent.base.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The last lines, in memory, for the {@code getLog} command: at most 1,024 of them and at most a
 * mebibyte of characters, whichever is reached first.
 */
public final class LogHistory {
  /** The most lines that are kept. */
  public static final int LINES_MAX = 1_024;

  /** The most characters that are kept. */
  public static final int CHARS_MAX = 1 << 20;

  /** Guarded by this, as is all that follows. */
  private final Deque<String> lines = new ArrayDeque<>();

  private final Deque<String> startupWarnings = new ArrayDeque<>();
  private int lineChars;
  private int startupWarningChars;
  private long linesWritten;
  private long startupWarningsWritten;

  synchronized void add(String line, boolean startupWarning) {
    linesWritten++;
    lineChars = append(lines, lineChars, line);
    if (startupWarning) {
      startupWarningsWritten++;
      startupWarningChars = append(startupWarnings, startupWarningChars, line);
    }
  }

  private static int append(Deque<String> kept, int keptChars, String line) {
    kept.addLast(line);
    int chars = keptChars + line.length();
    while (kept.size() > LINES_MAX || (chars > CHARS_MAX && kept.size() > 1)) {
      chars -= kept.removeFirst().length();
    }
    return chars;
  }

  /** {@code getLog: "global"}. */
  public synchronized Excerpt global() {
    return new Excerpt(linesWritten, new ArrayList<>(lines));
  }

  /** {@code getLog: "startupWarnings"}. */
  public synchronized Excerpt startupWarnings() {
    return new Excerpt(startupWarningsWritten, new ArrayList<>(startupWarnings));
  }

  /**
   * What {@code getLog} answers.
   *
   * @param totalLinesWritten all lines since the start, those no longer kept included
   * @param lines the lines that are kept, oldest first
   */
  public record Excerpt(long totalLinesWritten, List<String> lines) {
    public Excerpt {
      lines = List.copyOf(lines);
    }
  }
}
