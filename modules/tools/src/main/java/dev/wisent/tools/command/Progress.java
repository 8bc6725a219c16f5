package dev.wisent.tools.command;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final AtomicBoolean closed = new AtomicBoolean();

  private Progress(ProgressBar bar, PrintStream err) {
    this.bar = bar;
    this.err = err;
  }

  /**
   * Of documents.
   *
   * @param total how many there are, about; negative if that is not known
   */
  public static Progress ofDocuments(
      Surroundings surroundings, Messages messages, String name, long total) {
    return start(surroundings, messages, name, total, " documents", 1);
  }

  /**
   * Of bytes.
   *
   * @param total how many there are; negative if that is not known
   */
  public static Progress ofBytes(
      Surroundings surroundings, Messages messages, String name, long total) {
    return start(surroundings, messages, name, total, " MiB", 1 << 20);
  }

  private static Progress start(
      Surroundings surroundings,
      Messages messages,
      String name,
      long total,
      String unit,
      long unitSize) {
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
            .setUnit(unit, unitSize)
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
    if (bar != null && closed.compareAndSet(false, true)) {
      bar.close();
      err.println();
      err.flush();
    }
  }
}
