package dev.wisent.conformance.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the pictures of {@code docs/shard-keys.md} of the page that {@code wisent advise} has
 * written there: those of one key in one file, on a ground of their own, light or dark.
 */
final class ShardKeyPictures {
  private static final Pattern SECTION =
      Pattern.compile("(?s)<section>\\n<h2><code>(.*?)</code>(.*?)</section>");
  private static final Pattern PICTURE =
      Pattern.compile("(?s)<svg viewBox=\"0 0 960 (\\d+)\"[^>]*>\\n(.*?)</svg>");
  private static final List<String> CAPTIONS =
      List.of(
          "Inserts of the year, from left to right, by the shard that they go to",
          "Chunks of each shard: strong ones get the latest documents, red ones cannot be split",
          "Queries");
  private static final List<String> SHARDS = List.of("#4c78a8", "#f58518", "#54a24b", "#b279a2");
  private static final int CAPTION = 26;
  private static final int MARGIN = 20;
  private static final String STYLE =
      """
      <style>
      .ground { fill: #f6f8fa; stroke: #d0d7de; } text { fill: #424a53; }
      @media (prefers-color-scheme: dark) {
        .ground { fill: #161b22; stroke: #30363d; } text { fill: #c9d1d9; }
      }
      </style>
      """;

  private ShardKeyPictures() {}

  /**
   * @param names of the files, by the keys that are wanted
   */
  static void write(Path advice, Path images, Map<String, String> names) throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    Matcher section = SECTION.matcher(Files.readString(advice));
    while (section.find()) {
      sections.put(section.group(1).replace("&quot;", "\""), section.group(2));
    }
    for (Map.Entry<String, String> each : names.entrySet()) {
      String found = sections.get(each.getKey());
      if (found == null) {
        throw new AssertionError(each.getKey() + " is not one of " + sections.keySet());
      }
      Files.writeString(images.resolve(each.getValue()), picture(each.getKey(), found));
    }
  }

  private static String picture(String key, String section) {
    List<MatchResult> pictures = PICTURE.matcher(section).results().toList();
    List<String> parts = new ArrayList<>();
    int y = MARGIN;
    for (int i = 0; i < pictures.size(); i++) {
      parts.add(
          "<text x=\"%d\" y=\"%d\" font-weight=\"600\">%s</text>%n"
              .formatted(MARGIN, y + 8, CAPTIONS.get(i)));
      if (i == 0) {
        parts.add(legend(y));
      }
      y += CAPTION;
      parts.add(
          "<g transform=\"translate(%d %d)\">%n%s</g>%n"
              .formatted(MARGIN, y, pictures.get(i).group(2)));
      y += Integer.parseInt(pictures.get(i).group(1)) + MARGIN;
    }
    String drawn =
        String.join("", parts)
            .replace(" fill=\"#555\"", "")
            .replace("\"#1f4e79\"", "\"#2f7fc2\"")
            .replace(System.lineSeparator(), "\n");
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 %d\" role=\"img\""
                + " font-family=\"system-ui, sans-serif\" font-size=\"13\">%n<title>%s</title>%n",
            y,
            "Inserts, chunks and queries with the shard key " + key)
        + STYLE
        + "<rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"999\" height=\"%d\" rx=\"8\"/>%n"
            .formatted(y - 1)
        + drawn
        + "</svg>\n";
  }

  private static String legend(int y) {
    var legend = new StringBuilder();
    for (int i = 0; i < SHARDS.size(); i++) {
      int x = 640 + 85 * i;
      legend.append(
          "<rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\" fill=\"%s\"/>%n"
              .formatted(x, y - 2, SHARDS.get(i)));
      legend.append("<text x=\"%d\" y=\"%d\">shard %d</text>%n".formatted(x + 16, y + 8, i));
    }
    return legend.toString();
  }
}
