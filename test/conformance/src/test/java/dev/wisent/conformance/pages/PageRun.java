package dev.wisent.conformance.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.page.CodeBlock;
import dev.wisent.testkit.page.MarkdownPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** Runs pages, with one shell and one {@code mongosh} for all of them. */
final class PageRun implements AutoCloseable {
  static final List<String> MARKS =
      List.of("not run", "not compared", MarkdownPage.RUN_BY, "part of");

  private static final Pattern OPENED =
      Pattern.compile("(?m)^(?:npx )?mongosh(?: \"?(mongodb://[^\"\\s]+)\"?)?(?: +#.*)?$");

  private final PageServers servers = new PageServers();
  private final MongoshSession mongosh;
  private final ShellSession shell;

  private PageRun(MongoshSession mongosh, ShellSession shell) {
    this.mongosh = mongosh;
    this.shell = shell;
  }

  /** Ready for pages, or skips the test where Node.js or Linux is missing. */
  static PageRun start(Path directory) throws IOException {
    Assumptions.assumeTrue(
        Path.of("/proc/self/fd").toFile().isDirectory(), "needs /proc, as Linux has it");
    NodePackages packages = NodePackages.assumeNode();
    Path modules = packages.assumeInstalled("mongosh", MongoshSession.VERSION);
    return new PageRun(
        MongoshSession.start(packages, modules, directory),
        ShellSession.start(packages, modules, directory));
  }

  /**
   * @param everything also what takes long
   */
  void run(MarkdownPage page, boolean everything) throws IOException {
    servers.use(page.remark("servers").orElse(""));
    shell.clear();
    if (!servers.isEmpty() && !page.in("js").isEmpty()) {
      mongosh.connect(servers.defaultUri());
    }
    List<CodeBlock> blocks = page.blocks();
    List<String> others = new ArrayList<>();
    Printed printed = null;
    for (int i = 0; i < blocks.size(); i++) {
      CodeBlock block = blocks.get(i);
      CodeBlock after = i + 1 < blocks.size() ? blocks.get(i + 1) : null;
      boolean shown = after != null && after.language().equals("text") && !isMarked(after);
      String place = page.path() + ":" + block.line() + "\n" + block.text();
      if (isMarked(block) || (!everything && block.marked(MarkdownPage.LONG_RUN).isPresent())) {
        printed = null;
      } else if (block.language().equals("text")) {
        assertThat(printed).as("%s shows the output of no block that is run", place).isNotNull();
        String text = servers.withPagePorts(printed.text());
        if (!ShownOutput.matches(block.text(), text)) {
          others.add(place + "\nis not what is printed:\n" + text);
        }
        printed = null;
      } else {
        printed = run(block, shown);
        assertThat(printed.failed() && !shown)
            .as("%s\n%s%s%s", others, place, printed.text(), shell.toolErrors())
            .isFalse();
      }
    }
    assertThat(others).as(page.path()).isEmpty();
  }

  /** Whether blocks of this kind are run, or compared with what others print. */
  static boolean runs(CodeBlock block) {
    return List.of("js", "sh", "java", "text").contains(block.language());
  }

  static boolean isMarked(CodeBlock block) {
    return MARKS.stream().anyMatch(mark -> block.marked(mark).isPresent());
  }

  private Printed run(CodeBlock block, boolean shown) throws IOException {
    String code = servers.withRealPorts(block.text());
    switch (block.language()) {
      case "js" -> {
        return mongosh.run(shown ? ShellStatements.showingTheLast(code) : code);
      }
      case "sh" -> {
        Printed printed = shell.run(code, servers.defaultPort());
        Matcher opened = OPENED.matcher(code);
        while (opened.find()) {
          mongosh.connect(opened.group(1) == null ? servers.defaultUri() : opened.group(1));
        }
        return printed;
      }
      case "java" -> {
        return shell.runProgram(code);
      }
      default ->
          throw new AssertionError(
              "line " + block.line() + ": a block in '" + block.language() + "' without a mark");
    }
  }

  /** What the blocks of the last page have written. */
  Path file(String name) {
    return shell.file(name);
  }

  @Override
  public void close() {
    mongosh.close();
    shell.close();
    servers.close();
  }
}
