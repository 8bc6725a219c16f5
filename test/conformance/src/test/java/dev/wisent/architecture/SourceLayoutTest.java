package dev.wisent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What can be said about sources without compiling them. */
class SourceLayoutTest {
  private static final Set<String> FORBIDDEN_PACKAGE_NAMES =
      Set.of("util", "utils", "common", "helper", "helpers", "misc", "impl");

  /** A file of this length is asking what its second job is. */
  private static final int LINES_MAX = 400;

  /**
   * Longer by nature: lists that are easier to read in one piece. Adding to this needs a reason.
   */
  private static final Set<String> LONG_BY_NATURE = Set.of("ErrorCode.java");

  private static final Pattern TODO = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");
  private static final Pattern ISSUE_LINK = Pattern.compile("https?://\\S+/issues/\\d+");

  private static Path root;
  private static List<Path> mainSources;

  @BeforeAll
  static void findSources() throws IOException {
    root = Checkout.root();
    mainSources = Repository.mainSources();
    assertThat(mainSources).hasSizeGreaterThan(50);
  }

  @Test
  void packagesAreNamedAfterWhatTheyAreAbout() {
    Set<String> bad = new TreeSet<>();
    for (Path file : mainSources) {
      for (Path part : root.relativize(file).getParent()) {
        if (FORBIDDEN_PACKAGE_NAMES.contains(part.toString())) {
          bad.add(root.relativize(file).toString());
        }
      }
    }
    assertThat(bad).as("packages named %s say nothing", FORBIDDEN_PACKAGE_NAMES).isEmpty();
  }

  @Test
  void everyPackageIsExplained() {
    Set<Path> packages = new TreeSet<>();
    mainSources.forEach(file -> packages.add(file.getParent()));
    assertThat(packages)
        .as("packages need a package-info.java: purpose, main types, threading rule")
        .allMatch(directory -> Files.exists(directory.resolve("package-info.java")));
  }

  @Test
  void everyModuleIsLinted() throws IOException {
    String lint = Files.readString(root.resolve("test/lint/pom.xml"));
    Matcher modules =
        Pattern.compile("<module>(.*)</module>").matcher(Files.readString(root.resolve("pom.xml")));
    List<String> missing = new ArrayList<>();
    while (modules.find()) {
      String module = modules.group(1);
      boolean hasSources = Files.exists(root.resolve(module).resolve("src"));
      if (hasSources && !lint.contains("/" + module + "/src/main/java")) {
        missing.add(module);
      }
    }
    assertThat(missing).as("modules whose sources test/lint/pom.xml does not list").isEmpty();
  }

  @Test
  void filesAreSmall() throws IOException {
    List<String> bad = new ArrayList<>();
    for (Path file : mainSources) {
      long lines = Files.readAllLines(file).size();
      if (lines > LINES_MAX && !LONG_BY_NATURE.contains(file.getFileName().toString())) {
        bad.add(root.relativize(file) + ": " + lines + " lines");
      }
    }
    assertThat(bad).as("files of more than %d lines: find the second job", LINES_MAX).isEmpty();
  }

  @Test
  void nothingIsLeftToDoWithoutAnIssue() throws IOException {
    List<String> bad = new ArrayList<>();
    for (Path file : mainSources) {
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        if (TODO.matcher(line).find() && !ISSUE_LINK.matcher(line).find()) {
          bad.add(root.relativize(file) + ":" + number + ": " + line.strip());
        }
      }
    }
    assertThat(bad).as("a TODO carries the link of its issue").isEmpty();
  }
}
