package dev.wisent.tools.command;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far the work is: a bar on a terminal, nothing elsewhere. Thread-safe. */
public final class Progress implements AutoCloseable {
  private static final int UPDATE_MILLIS = 200;

  private final ProgressBar bar;
  private final Messages messages;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Progress(ProgressBar bar, Messages messages) {
    this.bar = bar;
    this.messages = messages;
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
      return new Progress(null, messages);
    }
    ProgressBar bar =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUnit(unit, unitSize)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .showSpeed(new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
            .setConsumer(
                new DelegatingProgressBarConsumer(messages::draw, surroundings.columns() - 1))
            .build();
    return new Progress(bar, messages);
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
      messages.drawnLast();
    }
  }
}
