package dev.wisent.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log file, for failure messages. */
record LogTail(Path file) {

  private static final int LINES_MAX = 40;

  String read() {
    try {
      // A killed process may leave half a character behind, so no strict decoding.
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      List<String> lines = text.lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_MAX), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  /** The tail with a heading, to be appended to a message. */
  String describe() {
    return "\n--- end of " + file + " ---\n" + read() + "\n---";
  }
}
