package dev.wisent.conformance.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import dev.wisent.testkit.page.CodeBlock;
import dev.wisent.testkit.page.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every block of the documents is run, or says why not. Runs nothing itself. */
class PageMarksTest {
  /** Made by tests, which compare them with the program. */
  private static final Set<String> GENERATED =
      Set.of("docs/flags.md", "docs/configuration.md", "docs/compatibility.md", "docs/commands.md");

  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[ /])wisent ([a-z]+)((?: +[^|;&#\\n]*)?)");
  private static final Pattern FLAG = Pattern.compile("(?<= )--?[a-zA-Z][a-zA-Z_]*");

  private static List<MarkdownPage> pages() throws IOException {
    List<MarkdownPage> pages = new ArrayList<>();
    for (Path document : Checkout.documents()) {
      String path = Checkout.root().relativize(document).toString();
      boolean top = path.equals("README.md") || path.matches("docs/[^/]*\\.md");
      if (top && !GENERATED.contains(path)) {
        pages.add(MarkdownPage.read(path));
      }
    }
    return pages;
  }

  @Test
  void everyBlockIsRunOrMarked() throws IOException {
    List<String> open = new ArrayList<>();
    for (MarkdownPage page : pages()) {
      boolean run = PagesTest.PAGES.contains(page.path());
      for (CodeBlock block : page.blocks()) {
        if (!(run && PageRun.runs(block)) && !PageRun.isMarked(block)) {
          open.add(page.path() + ":" + block.line());
        }
      }
    }
    assertThat(open)
        .as("blocks that are neither run nor marked; dev.wisent.conformance.pages says how")
        .isEmpty();
  }

  @Test
  void aPageThatIsRunHasSomethingToRun() {
    assertThat(PagesTest.PAGES)
        .allSatisfy(page -> assertThat(MarkdownPage.read(page).blocks()).isNotEmpty());
  }

  @Test
  void reasonsAreGiven() throws IOException {
    for (MarkdownPage page : pages()) {
      assertThat(page.blocks())
          .as(page.path())
          .filteredOn(PageRun::isMarked)
          .noneMatch(block -> block.mark().matches("[a-z ]+:? *"));
    }
  }

  @Test
  void whatIsPartOfAFileIsInIt() throws IOException {
    for (MarkdownPage page : pages()) {
      for (CodeBlock block : page.blocks()) {
        if (block.marked("part of").isPresent()) {
          assertThat(Files.readString(Checkout.file(block.marked("part of").orElseThrow())))
              .as(page.path() + ":" + block.line())
              .contains(block.text());
        }
      }
    }
  }

  /** All test classes of the repository by their names. */
  private static Map<String, Path> tests() throws IOException {
    Map<String, Path> tests = new HashMap<>();
    for (String parent : List.of("modules", "test")) {
      List<Path> projects;
      try (var found = Files.list(Checkout.file(parent))) {
        projects = found.map(each -> each.resolve("src/test/java")).toList();
      }
      for (Path sources : projects) {
        if (Files.exists(sources)) {
          try (var found = Files.walk(sources)) {
            found
                .filter(file -> file.toString().endsWith("Test.java"))
                .forEach(
                    file -> tests.put(file.getFileName().toString().replace(".java", ""), file));
          }
        }
      }
    }
    return tests;
  }

  /** A test that only has the name may run something else than what the page says. */
  @Test
  void theTestsThatRunBlocksReadThemFromThePage() throws IOException {
    Map<String, Path> tests = tests();
    for (MarkdownPage page : pages()) {
      for (CodeBlock block : page.blocks()) {
        Optional<String> test = block.marked(MarkdownPage.RUN_BY);
        if (test.isPresent()) {
          String place = page.path() + ":" + block.line();
          assertThat(tests).as(place).containsKey(test.get());
          assertThat(Files.readString(tests.get(test.get())))
              .as("%s: the test reads the page, in each build", place)
              .contains("MarkdownPage", '"' + page.path() + '"')
              .doesNotContain("@Tag(\"faults\")");
        }
      }
    }
  }

  /** Also of those blocks that are not run. */
  @Test
  void everyFlagIsOneOfTheCommand() throws IOException {
    Map<String, String> helps = new HashMap<>();
    for (String part : Files.readString(Checkout.file("docs/flags.md")).split("\n## wisent ")) {
      helps.put(part.lines().findFirst().orElse(""), part.replace("\\", ""));
    }
    List<String> unknown = new ArrayList<>();
    for (MarkdownPage page : pages()) {
      for (CodeBlock block : page.in("sh")) {
        for (String line : block.commands()) {
          Matcher command = COMMAND.matcher(line.replaceAll("'[^']*'|\"[^\"]*\"", "''"));
          while (command.find() && helps.containsKey(command.group(1))) {
            String help = helps.get(command.group(1));
            FLAG.matcher(command.group(2))
                .results()
                .map(flag -> flag.group())
                .filter(
                    flag -> !help.matches("(?s).*[`\\s,]" + Pattern.quote(flag) + "[`\\s,=\\[].*"))
                .forEach(flag -> unknown.add(page.path() + ": " + command.group(1) + " " + flag));
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(Arrays.asList("server", "dump")).allMatch(helps::containsKey);
  }
}
