package dev.wisent.query.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.query.cases.CaseFile.Case;
import dev.wisent.query.cases.CaseFile.Section;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;

/**
 * Each operator has a file of cases, and each file the same sections, so that none forgets what
 * happens to a field that is not there.
 */
public final class OperatorCases {
  private static final List<String> TITLES =
      List.of("normal", "missing", "null", "wrong type", "array", "error");

  private static final Path CASES = Path.of("src/test/cases");

  private OperatorCases() {}

  /**
   * The tests of one kind of operators.
   *
   * @param kind the directory of their files
   * @param names all of them, as their table has them
   * @param check runs a case: what it looks at, and its line
   */
  public static Stream<DynamicNode> of(
      String kind, Collection<String> names, BiConsumer<String, String> check) {
    return Stream.concat(
        Stream.of(
            DynamicTest.dynamicTest(
                "each operator has a file",
                () -> assertThat(files(kind)).containsExactlyInAnyOrderElementsOf(names))),
        files(kind).stream().map(name -> container(kind, name, check)));
  }

  private static Path file(String kind, String name) {
    return CASES.resolve(kind).resolve(name.substring(1) + ".txt");
  }

  private static TreeSet<String> files(String kind) {
    var names = new TreeSet<String>();
    try (Stream<Path> files = Files.list(CASES.resolve(kind))) {
      files.forEach(file -> names.add("$" + file.getFileName().toString().replace(".txt", "")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static DynamicNode container(String kind, String name, BiConsumer<String, String> check) {
    Path path = file(kind, name);
    CaseFile file = CaseFile.read(path);
    return DynamicContainer.dynamicContainer(
        name,
        Stream.concat(
            Stream.of(
                DynamicTest.dynamicTest(name + " has all sections", () -> checkSections(file))),
            file.sections().stream()
                .map(
                    section ->
                        DynamicTest.dynamicTest(
                            name + " " + section.title(),
                            () -> checkCases(path, name, section, check)))));
  }

  private static void checkSections(CaseFile file) {
    assertThat(file.sections())
        .extracting(Section::title)
        .startsWith(TITLES.toArray(String[]::new));
    assertThat(file.sections())
        .allSatisfy(
            section ->
                assertThat(section.cases().isEmpty())
                    .as("%s says why it has no cases", section.title())
                    .isEqualTo(section.reason() != null));
  }

  private static void checkCases(
      Path path, String name, Section section, BiConsumer<String, String> check) {
    var failures = new ArrayList<String>();
    for (Case one : section.cases()) {
      try {
        assertThat(one.text()).as("the operator").contains(name);
        if (section.title().equals("error")) {
          assertThat(one.text()).contains(" !! ");
        }
        check.accept(one.over(), one.text());
      } catch (AssertionError | RuntimeException e) {
        failures.add(path.getFileName() + ":" + one.line() + " " + e.getMessage());
      }
    }
    assertThat(failures).isEmpty();
  }
}
