package dev.wisent.architecture;

import dev.wisent.testkit.page.Checkout;
import dev.wisent.testkit.page.MarkdownPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The modules as the documents name them. */
final class ModuleDocuments {
  private static final Pattern ARROW = Pattern.compile("(\\w+)(?: +-> +(\\w+(?:, \\w+)*))?");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");
  private static final Pattern LIST =
      Pattern.compile("(?s)`modules/` is the product, lowest layer first: ([^.]*)\\.");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  private ModuleDocuments() {}

  /** From each module of ARCHITECTURE.md's drawing to those that its arrows point to. */
  static Map<String, Set<String>> arrows() {
    Map<String, Set<String>> arrows = new LinkedHashMap<>();
    for (String line : MarkdownPage.read("ARCHITECTURE.md").block("The modules", "").commands()) {
      Matcher arrow = ARROW.matcher(line.strip());
      if (!arrow.matches()) {
        throw new IllegalStateException("not a line \"module -> module, module\": " + line);
      }
      String targets = arrow.group(2);
      arrows.put(
          arrow.group(1),
          targets == null ? Set.of() : new LinkedHashSet<>(List.of(targets.split(", "))));
    }
    return arrows;
  }

  /** The modules with a row in ARCHITECTURE.md's table. */
  static Set<String> rows() {
    return names(ROW.matcher(read("ARCHITECTURE.md")));
  }

  /** The modules that CONTRIBUTING.md lists, in its order. */
  static Set<String> contributing() {
    return names(NAME.matcher(find(LIST, "CONTRIBUTING.md")));
  }

  private static Set<String> names(Matcher matcher) {
    return matcher
        .results()
        .map((MatchResult result) -> result.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static String find(Pattern pattern, String document) {
    Matcher matcher = pattern.matcher(read(document));
    if (!matcher.find()) {
      throw new IllegalStateException(document + " has no place like " + pattern);
    }
    return matcher.group(1);
  }

  private static String read(String document) {
    try {
      return Files.readString(Checkout.root().resolve(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
