package dev.wisent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Comments and documents are plain technical English: threads, members and clients are things, and
 * things do things. "A write without waiters", not "a write that nobody waits for".
 */
class WordsTest {
  /** Persons, and words of ours for what has a name in the field already. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "(?i)\\b(nobody|somebody|anybody|everybody|whoever|someone|anyone|everyone"
              + "|he|she|him|his|reigns?)\\b");

  /** In Java; quoted strings are skipped, because they may hold what begins a comment. */
  private static final Pattern COMMENT =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\\n])*\"|(?s:/\\*.*?\\*/)|//[^\n]*");

  /** In Markdown: names, not prose. */
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

  @Test
  void thingsDoThings() throws IOException {
    Path root = Checkout.root();
    List<String> found = new ArrayList<>();
    for (Path file : Checkout.documents()) {
      look(root.relativize(file), CODE.matcher(Files.readString(file)).replaceAll(""), found);
    }
    for (Path file : Repository.allSources()) {
      Path path = root.relativize(file);
      boolean helpTexts = path.startsWith("modules/cli/src/main");
      // The users of the example are persons.
      if (!path.startsWith("examples") && !path.endsWith("WordsTest.java")) {
        String text = Files.readString(file);
        look(path, helpTexts ? text : comments(text), found);
      }
    }
    assertThat(found).as("comments and documents with persons, or with words of ours").isEmpty();
  }

  private static void look(Path path, String text, List<String> found) {
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      Matcher words = FORBIDDEN.matcher(line);
      while (words.find()) {
        found.add(path + ":" + number + ": " + words.group() + ": " + line.strip());
      }
    }
  }

  /** The text without what is not a comment; lines keep their numbers. */
  private static String comments(String text) {
    var result = new StringBuilder();
    int end = 0;
    Matcher parts = COMMENT.matcher(text);
    while (parts.find()) {
      keepLines(text, end, parts.start(), result);
      if (!parts.group().startsWith("\"")) {
        result.append(parts.group());
      }
      end = parts.end();
    }
    return result.toString();
  }

  private static void keepLines(String text, int from, int to, StringBuilder result) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) == '\n') {
        result.append('\n');
      }
    }
  }
}
