package dev.wisent.tools.command;

import java.io.PrintStream;
import java.util.function.Consumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far the work is: a bar on a terminal, nothing elsewhere. Thread-safe. */
public final class Progress implements AutoCloseable {
  private static final int UPDATE_MILLIS = 200;

  private final ProgressBar bar;
  private final PrintStream err;

  private Progress(ProgressBar bar, PrintStream err) {
    this.bar = bar;
    this.err = err;
  }

  /**
   * @param total how much work there is, as far as that is known
   */
  public static Progress start(
      Surroundings surroundings, Messages messages, String name, String unit, long total) {
    if (!surroundings.terminal() || messages.isQuiet()) {
      return new Progress(null, surroundings.err());
    }
    PrintStream err = surroundings.err();
    Consumer<String> print =
        line -> {
          err.print("\r" + line);
          err.flush();
        };
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUnit(" " + unit, 1)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .showSpeed()
            .setConsumer(new DelegatingProgressBarConsumer(print, surroundings.columns() - 1))
            .build();
    return new Progress(bar, err);
  }

  public void add(long count) {
    if (bar != null) {
      bar.stepBy(count);
    }
  }

  /** What is worked on. */
  public void at(String what) {
    if (bar != null) {
      bar.setExtraMessage(" " + what);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      err.println();
      err.flush();
    }
  }
}
