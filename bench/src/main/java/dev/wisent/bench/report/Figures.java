package dev.wisent.bench.report;

import java.util.Locale;

/** Figures as text. */
public final class Figures {
  public static final String NONE = "–";

  private static final double MEBIBYTE = 1024 * 1024;

  private Figures() {}

  /** Three significant digits, thousands grouped. */
  public static String number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return NONE;
    }
    double magnitude = Math.abs(value);
    if (magnitude >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, magnitude >= 10 ? "%.1f" : "%.2f", value);
  }

  public static String mebibytes(double bytes) {
    return number(Double.isNaN(bytes) ? bytes : Math.rint(bytes / MEBIBYTE));
  }

  public static String ratio(double baseline, double peer) {
    double ratio = baseline / peer;
    if (Double.isNaN(ratio) || Double.isInfinite(ratio)) {
      return NONE;
    }
    return String.format(
        Locale.ROOT, ratio >= 100 ? "%.0f×" : ratio >= 10 ? "%.1f×" : "%.2f×", ratio);
  }
}
