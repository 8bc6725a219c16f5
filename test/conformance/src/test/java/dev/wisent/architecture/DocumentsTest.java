package dev.wisent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.page.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Prose drifts: what the documents name has to exist. */
class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern PACKAGE = Pattern.compile("dev(\\.[A-Za-z][A-Za-z0-9]*)+");

  /** A class of ours, by our naming: two words or more, of which none is an abbreviation. */
  private static final Pattern TYPE = Pattern.compile("([A-Z][a-z0-9]+){2,}(V\\d+)?");

  /** Names in documents that look like types of ours and are other people's. */
  private static final Set<String> NOT_OURS = Set.of("MongoClients", "MongoClient");

  private static Path root;
  private static List<Path> documents;
  private static Set<String> types;

  @BeforeAll
  static void read() throws IOException {
    root = Checkout.root();
    documents = Checkout.documents();
    types = new HashSet<>();
    for (Path source : Repository.mainSources()) {
      types.add(source.getFileName().toString().replace(".java", ""));
    }
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents) {
      Matcher links = LINK.matcher(Files.readString(document));
      while (links.find()) {
        String target = links.group(1);
        if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
          broken.add(root.relativize(document) + " -> " + target);
        }
      }
    }
    assertThat(broken).as("links to files that are not there").isEmpty();
  }

  @Test
  void theArchitectureNamesWhatExists() throws IOException {
    List<String> unknown = new ArrayList<>();
    Matcher code = CODE.matcher(Files.readString(root.resolve("ARCHITECTURE.md")));
    int names = 0;
    while (code.find()) {
      String name = code.group(1);
      String type = name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
      if (PACKAGE.matcher(name).matches()) {
        names++;
        if (!Repository.hasName(name)) {
          unknown.add(name);
        }
      } else if (TYPE.matcher(type).matches() && !NOT_OURS.contains(type)) {
        names++;
        if (!types.contains(type)) {
          unknown.add(name);
        }
      }
    }
    assertThat(names).as("names found").isGreaterThan(20);
    assertThat(unknown).as("ARCHITECTURE.md names what is not there (any more)").isEmpty();
  }

  @Test
  void everyDecisionIsListed() throws IOException {
    String list = Files.readString(root.resolve("docs/decisions/README.md"));
    try (Stream<Path> files = Files.list(root.resolve("docs/decisions"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.matches("\\d{4}-.*\\.md"))
          .allMatch(list::contains);
    }
  }
}
