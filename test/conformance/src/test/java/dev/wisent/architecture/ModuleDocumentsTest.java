package dev.wisent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The documents name the modules that exist, with the arrows that exist. */
class ModuleDocumentsTest {
  private static final Pattern DEPENDENCY =
      Pattern.compile("(?s)<dependency>(?:(?!</dependency>).)*?</dependency>");
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>wisent-(\\w+)</artifactId>");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?dev\\.wisent\\.(\\w+)[.;]");

  /** The front door, and the module that it is the door of. */
  private static final Map<String, String> FRONT_DOOR = Map.of("Wisent", "cluster");

  /** From each module's directory name to the modules that its pom.xml depends on. */
  private static Map<String, Set<String>> dependencies;

  @BeforeAll
  static void readModules() throws IOException {
    dependencies = new TreeMap<>();
    for (Path module : Repository.modules()) {
      dependencies.put(nameOf(module), dependenciesOf(module));
    }
  }

  @Test
  void theDocumentsNameEveryModule() {
    Set<String> modules = dependencies.keySet();
    assertThat(ModuleDocuments.arrows().keySet())
        .as("modules in ARCHITECTURE.md's drawing")
        .containsExactlyInAnyOrderElementsOf(modules);
    assertThat(ModuleDocuments.rows())
        .as("modules in ARCHITECTURE.md's table")
        .containsExactlyInAnyOrderElementsOf(modules);
    assertThat(ModuleDocuments.contributing())
        .as("modules in CONTRIBUTING.md, \"Where things are\"")
        .containsExactlyInAnyOrderElementsOf(modules);
  }

  @Test
  void theArrowsAreTheDependencies() {
    assertThat(new TreeMap<>(ModuleDocuments.arrows()))
        .as("arrows in ARCHITECTURE.md's drawing, compared with the poms of the modules")
        .isEqualTo(dependencies);
  }

  /** Highest first in the drawing, lowest first in the list: a module is met before its users. */
  @Test
  void theDocumentsListModulesInTheirOrder() {
    List<String> drawn = new ArrayList<>(ModuleDocuments.arrows().keySet());
    List<String> listed = new ArrayList<>(ModuleDocuments.contributing());
    List<String> wrong = new ArrayList<>();
    dependencies.forEach(
        (module, targets) -> {
          for (String target : targets) {
            if (drawn.indexOf(module) > drawn.indexOf(target)) {
              wrong.add("ARCHITECTURE.md: " + module + " comes below " + target);
            }
            if (listed.indexOf(module) < listed.indexOf(target)) {
              wrong.add("CONTRIBUTING.md: " + module + " comes before " + target);
            }
          }
        });
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyArrowIsUsed() throws IOException {
    List<String> idle = new ArrayList<>();
    for (Path module : Repository.modules()) {
      Set<String> used = new TreeSet<>();
      for (Path source : Repository.mainSourcesOf(module)) {
        IMPORT
            .matcher(Files.readString(source))
            .results()
            .map(found -> found.group(1))
            .forEach(name -> used.add(FRONT_DOOR.getOrDefault(name, name)));
      }
      Set<String> unused = new TreeSet<>(dependencies.get(nameOf(module)));
      unused.removeAll(used);
      unused.forEach(target -> idle.add(nameOf(module) + " -> " + target));
    }
    assertThat(idle).as("dependencies between modules that no import needs").isEmpty();
  }

  /** Which module a class belongs to is taken from its package. */
  @Test
  void aModuleHasThePackageOfItsName() throws IOException {
    Path frontDoor = Path.of("dev/wisent");
    List<String> misplaced = new ArrayList<>();
    for (Path module : Repository.modules()) {
      Path java = module.resolve("src/main/java");
      for (Path source : Repository.mainSourcesOf(module)) {
        Path inside = java.relativize(source);
        if (!inside.startsWith(frontDoor.resolve(nameOf(module)))
            && !inside.getParent().equals(frontDoor)) {
          misplaced.add(module.getFileName() + ": " + inside);
        }
      }
    }
    assertThat(misplaced).as("classes outside the package of their module").isEmpty();
  }

  @Test
  void mavenBuildsEveryModule() throws IOException {
    String pom = Files.readString(Checkout.root().resolve("pom.xml"));
    assertThat(dependencies.keySet())
        .allSatisfy(name -> assertThat(pom).contains("<module>modules/" + name + "</module>"));
  }

  private static String nameOf(Path module) {
    return module.getFileName().toString();
  }

  private static Set<String> dependenciesOf(Path module) throws IOException {
    Set<String> result = new LinkedHashSet<>();
    Matcher blocks = DEPENDENCY.matcher(Files.readString(module.resolve("pom.xml")));
    while (blocks.find()) {
      Matcher artifact = ARTIFACT.matcher(blocks.group());
      if (artifact.find() && !blocks.group().contains("<scope>test</scope>")) {
        result.add(artifact.group(1));
      }
    }
    return result;
  }
}
