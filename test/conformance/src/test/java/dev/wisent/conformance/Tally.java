package dev.wisent.conformance;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the cases of each folder by how they ended. */
final class Tally {

  private final Map<String, Counts> folders = new TreeMap<>();

  void passed(String folder) {
    counts(folder).passed++;
  }

  void failedAsExpected(String folder) {
    counts(folder).expectedFailures++;
  }

  void failed(String folder) {
    counts(folder).failed++;
  }

  void skipped(String folder, String why) {
    counts(folder).skipped.merge(why, 1, Integer::sum);
  }

  /** One line a folder. */
  String totals() {
    return folders.entrySet().stream()
        .map(e -> e.getKey() + ": " + e.getValue())
        .collect(Collectors.joining("\n"));
  }

  private Counts counts(String folder) {
    return folders.computeIfAbsent(folder, name -> new Counts());
  }

  private static final class Counts {
    private int passed;
    private int expectedFailures;
    private int failed;
    private final Map<String, Integer> skipped = new TreeMap<>();

    @Override
    public String toString() {
      int skippedInAll = skipped.values().stream().mapToInt(Integer::intValue).sum();
      String line =
          "%d passed, %d expected failures, %d skipped"
              .formatted(passed, expectedFailures, skippedInAll);
      if (skippedInAll > 0) {
        line += " (" + reasons() + ")";
      }
      return failed > 0 ? line + ", " + failed + " FAILED" : line;
    }

    private String reasons() {
      Comparator<Map.Entry<String, Integer>> mostFirst =
          Map.Entry.<String, Integer>comparingByValue()
              .reversed()
              .thenComparing(Map.Entry.comparingByKey());
      return skipped.entrySet().stream()
          .sorted(mostFirst)
          .map(e -> e.getKey() + ": " + e.getValue())
          .collect(Collectors.joining("; "));
    }
  }
}
