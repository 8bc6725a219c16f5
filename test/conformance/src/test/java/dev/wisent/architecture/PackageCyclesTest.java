package dev.wisent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The packages of a module have an order too. {@code package-cycles.txt} lists the cycles that are
 * left, a block of packages for each. The list may only get shorter.
 */
class PackageCyclesTest {
  private static final Path LIST =
      Path.of("test/conformance/src/test/resources/dev/wisent/architecture/package-cycles.txt");

  @Test
  void packagesOfAModuleUseEachOtherInOneDirection() throws IOException {
    List<Set<String>> listed = listed(Checkout.root().resolve(LIST));
    List<Set<String>> found = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path module : Repository.modules()) {
      Map<String, Set<String>> uses = PackageCycles.uses(Repository.mainSourcesOf(module));
      List<Set<String>> cycles = PackageCycles.of(uses);
      found.addAll(cycles);
      for (Set<String> cycle : cycles) {
        if (listed.stream().noneMatch(known -> known.containsAll(cycle))) {
          problems.add("new cycle of packages, move a type to break it:" + edges(cycle, uses));
        }
      }
    }
    for (Set<String> known : listed) {
      if (!found.contains(known)) {
        List<Set<String>> left = found.stream().filter(known::containsAll).toList();
        problems.add("the cycle " + known + " is smaller now: list what is left of it: " + left);
      }
    }
    assertThat(problems).as("cycles of packages, compared with %s", LIST).isEmpty();
  }

  @Test
  void findsTheCyclesOfAGraph() {
    Map<String, Set<String>> uses =
        Map.of(
            "a", Set.of("b", "d"),
            "b", Set.of("c"),
            "c", Set.of("a"),
            "d", Set.of("e"),
            "e", Set.of("d"),
            "f", Set.of("a", "e"));
    assertThat(PackageCycles.of(uses))
        .containsExactlyInAnyOrder(Set.of("a", "b", "c"), Set.of("d", "e"));
  }

  private static String edges(Set<String> cycle, Map<String, Set<String>> uses) {
    var text = new StringBuilder();
    for (String name : cycle) {
      Set<String> inside = new TreeSet<>(uses.get(name));
      inside.retainAll(cycle);
      text.append("\n  ").append(name).append(" -> ").append(String.join(", ", inside));
    }
    return text.toString();
  }

  private static List<Set<String>> listed(Path file) throws IOException {
    String text = Files.readString(file).replaceAll("(?m)^#.*\n", "");
    return Stream.of(text.split("\n\\s*\n"))
        .map(block -> (Set<String>) new TreeSet<>(block.lines().filter(s -> !s.isBlank()).toList()))
        .filter(block -> !block.isEmpty())
        .toList();
  }
}
