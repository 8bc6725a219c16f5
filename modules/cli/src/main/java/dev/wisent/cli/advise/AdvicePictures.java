package dev.wisent.cli.advise;

import dev.wisent.sharding.advice.KeyFigures;
import dev.wisent.sharding.advice.KeyFigures.ChunkFigures;
import java.util.List;
import java.util.Locale;

/** Pictures of figures, as SVG. */
final class AdvicePictures {
  static final List<String> COLORS =
      List.of(
          "#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#eeca3b", "#9d755d");

  private static final int WIDTH = 960;
  private static final int INSERTS_HEIGHT = 120;
  private static final int ROW = 18;
  private static final int LABEL = 70;
  private static final int SHARDS_SHOWN = 16;

  /** A label of less would run into the next one. */
  private static final double LABELED_SHARE_MIN = 0.08;

  private AdvicePictures() {}

  static String color(int shard) {
    return COLORS.get(shard % COLORS.size());
  }

  private static StringBuilder begin(int height, String label) {
    return new StringBuilder(4_096)
        .append("<svg viewBox=\"0 0 ")
        .append(WIDTH)
        .append(' ')
        .append(height)
        .append("\" role=\"img\" aria-label=\"")
        .append(label)
        .append("\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n");
  }

  private static void rectangle(
      StringBuilder to, double x, double y, double width, double height, String rest) {
    to.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>\n",
            x,
            y,
            width,
            height,
            rest));
  }

  private static void text(StringBuilder to, double x, double y, String rest, String text) {
    to.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n",
            x,
            y,
            rest,
            AdvicePage.escaped(text)));
  }

  /** A column for each part of the time, divided by shards. */
  static String inserts(KeyFigures figures, int shards) {
    StringBuilder picture = begin(INSERTS_HEIGHT, "inserts by shard over time");
    double width = (double) WIDTH / Math.max(1, figures.windows().size());
    for (int i = 0; i < figures.windows().size(); i++) {
      int[] window = figures.windows().get(i);
      long total = 0;
      for (int inserts : window) {
        total += inserts;
      }
      double y = INSERTS_HEIGHT;
      for (int shard = 0; shard < shards && total > 0; shard++) {
        double height = (double) INSERTS_HEIGHT * window[shard] / total;
        y -= height;
        if (window[shard] > 0) {
          rectangle(picture, i * width, y, width - 1, height, "fill=\"" + color(shard) + "\"");
        }
      }
    }
    return picture.append("</svg>\n").toString();
  }

  /** A row for each shard, with its chunks as wide as they have documents. */
  static String chunks(KeyFigures figures, int shards) {
    int rows = Math.min(shards, SHARDS_SHOWN);
    StringBuilder picture = begin(rows * (ROW + 4), "chunks by shard");
    double[] shares = figures.shares(shards);
    double widest = 0;
    for (double share : shares) {
      widest = Math.max(widest, share);
    }
    long total = Math.max(1, figures.chunks().stream().mapToLong(ChunkFigures::documents).sum());
    double scale = (WIDTH - 2.0 * LABEL) / Math.max(widest, 1e-9) / total;
    for (int shard = 0; shard < rows; shard++) {
      double y = shard * (ROW + 4);
      text(picture, 0, y + ROW - 5, "fill=\"#555\"", "shard " + shard);
      double x = LABEL;
      for (ChunkFigures chunk : figures.chunks()) {
        if (chunk.shard() == shard) {
          double width = chunk.documents() * scale;
          rectangle(picture, x, y, Math.max(0.5, width - 0.8), ROW, fill(chunk));
          x += width;
        }
      }
      text(picture, x + 6, y + ROW - 5, "fill=\"#555\"", Advice.percent(shares[shard]));
    }
    return picture.append("</svg>\n").toString();
  }

  /** A row for each name, as wide as its part of the whole. */
  static String shares(String label, List<String> names, List<Double> shares) {
    int rows = Math.min(names.size(), SHARDS_SHOWN);
    StringBuilder picture = begin(rows * (ROW + 4), label);
    double widest = Math.max(1e-9, shares.stream().mapToDouble(share -> share).max().orElse(0));
    for (int i = 0; i < rows; i++) {
      double y = i * (ROW + 4);
      double width = (WIDTH - 2.0 * LABEL) * shares.get(i) / widest;
      text(picture, 0, y + ROW - 5, "fill=\"#555\"", names.get(i));
      rectangle(picture, LABEL, y, Math.max(0.5, width), ROW, "fill=\"" + color(i) + "\"");
      text(picture, LABEL + width + 6, y + ROW - 5, "fill=\"#555\"", Advice.percent(shares.get(i)));
    }
    return picture.append("</svg>\n").toString();
  }

  private static String fill(ChunkFigures chunk) {
    double warm =
        chunk.documents() == 0 ? 0 : Math.min(1.0, (double) chunk.recent() / chunk.documents());
    String color = chunk.jumbo() ? "#cf222e" : "#1f4e79";
    return String.format(
        Locale.ROOT, "fill=\"%s\" fill-opacity=\"%.2f\"", color, 0.18 + 0.82 * warm);
  }

  /** One bar. */
  static String queries(KeyFigures.QueryFigures queries) {
    StringBuilder picture = begin(ROW + 16, "queries by number of shards");
    long[] counts = {queries.oneShard(), queries.someShards(), queries.allShards()};
    String[] colors = {"#1a7f37", "#d4a72c", "#cf222e"};
    String[] names = {"one", "some", "all"};
    double x = 0;
    for (int i = 0; i < counts.length; i++) {
      double share = (double) counts[i] / queries.total();
      if (counts[i] > 0) {
        rectangle(picture, x, 0, share * WIDTH - 1, ROW, "fill=\"" + colors[i] + "\"");
        if (share > LABELED_SHARE_MIN) {
          text(picture, x, ROW + 13, "fill=\"#555\"", names[i] + " " + Advice.percent(share));
        }
      }
      x += share * WIDTH;
    }
    return picture.append("</svg>\n").toString();
  }
}
