package dev.wisent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The site of this repository, as {@code target/site} has it. */
class SiteTest {
  private static final Path TARGET = Path.of("target", "site").toAbsolutePath();
  private static final Pattern REFERENCE = Pattern.compile(" (?:href|src)=\"([^\"]*)\"");

  private static Path repository;
  private static Site site;

  @BeforeAll
  static void write() throws IOException {
    repository = Path.of("").toAbsolutePath().getParent();
    site = Site.of(repository);
    site.write(TARGET);
  }

  @Test
  void everyDocumentIsAPage() throws IOException {
    Set<Path> pages = site.pages().stream().map(Page::source).collect(Collectors.toSet());
    try (Stream<Path> documents = Files.walk(repository.resolve("docs"))) {
      assertThat(documents.filter(file -> file.toString().endsWith(".md")))
          .allMatch(file -> pages.contains(repository.relativize(file)));
    }
    assertThat(site.contents().parts()).hasSizeGreaterThan(2);
  }

  /** The lists of the front page are beside every page. */
  @Test
  void everyPageOfTheDocumentsIsInTheContents() throws IOException {
    List<String> listed =
        site.contents().parts().stream()
            .flatMap(part -> part.links().stream())
            .map(link -> "docs/" + link.getDestination())
            .toList();
    try (Stream<Path> documents = Files.list(repository.resolve("docs"))) {
      assertThat(
              documents
                  .filter(file -> file.toString().endsWith(".md"))
                  .map(file -> repository.relativize(file))
                  .filter(file -> !file.equals(Site.FRONT))
                  .map(file -> file.toString().replace('\\', '/')))
          .isSubsetOf(listed);
    }
  }

  @Test
  void everyPictureIsShownAndHasATitle() throws IOException {
    Set<Path> shown =
        site.pages().stream().flatMap(page -> page.pictures().stream()).collect(Collectors.toSet());
    try (Stream<Path> pictures = Files.list(repository.resolve("docs/images"))) {
      for (Path picture : pictures.toList()) {
        assertThat(shown).contains(repository.relativize(picture));
        assertThat(Files.readString(picture))
            .contains("<title>", "prefers-color-scheme: dark")
            .doesNotContain("href=", "<script");
      }
    }
  }

  @Test
  void noLinkIsDead() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Page page : site.pages()) {
      Path file = TARGET.resolve(page.address());
      Matcher references = REFERENCE.matcher(Files.readString(file));
      while (references.find()) {
        String reference = references.group(1);
        if (!reference.contains("://") && isDead(file, reference)) {
          dead.add(page.source() + " -> " + reference);
        }
      }
    }
    assertThat(dead).isEmpty();
  }

  private static boolean isDead(Path file, String reference) throws IOException {
    String[] parts = reference.split("#", 2);
    Path target = parts[0].isEmpty() ? file : file.resolveSibling(parts[0]).normalize();
    return !Files.isRegularFile(target)
        || (parts.length > 1
            && !Files.readString(target).contains("id=\"" + parts[1] + "\""));
  }

  @Test
  void nothingComesFromElsewhere() throws IOException {
    Set<String> loaded = new TreeSet<>();
    for (Page page : site.pages()) {
      Matcher sources =
          Pattern.compile("<(?:script|link|img)[^>]*(?:src|href)=\"([^\"]*)\"")
              .matcher(Files.readString(TARGET.resolve(page.address())));
      while (sources.find()) {
        loaded.add(sources.group(1));
      }
    }
    assertThat(loaded).isNotEmpty().noneMatch(each -> each.contains("//"));
  }

  @ParameterizedTest
  @CsvSource({
    "$setWindowFields, compatibility.html",
    "failover, replica-sets.html",
    "moveRange, sharding.html",
    "'rotate certificates', security.html",
    "'CREATE index', tutorial.html",
    "$setWindowFields, tutorial-monitoring.html",
    "failover, operations.html",
    "hotspots, shard-keys.html",
    "'fan-out timelines', tutorial-social.html",
    "reshardCollection, commands.html"
  })
  void theSearchFinds(String words, String page) throws IOException {
    assertThat(search(words)).anyMatch(address -> address.startsWith(page));
  }

  @Test
  void theSearchFindsNothingForWhatIsNotThere() throws IOException {
    assertThat(search("zyxwvut")).isEmpty();
    assertThat(search("failover zyxwvut")).isEmpty();
    assertThat(search(" \"&<")).isEmpty();
  }

  @Test
  void headingsComeFirst() throws IOException {
    assertThat(search("coming from mongodb").getFirst()).startsWith("coming-from-mongodb.html");
  }

  @Test
  void whatChangedComesLast() throws IOException {
    assertThat(search("$setWindowFields").getFirst()).doesNotStartWith("project/");
  }

  private static List<String> search(String words) throws IOException {
    try (Context context = Context.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build()) {
      context.eval("js", Files.readString(TARGET.resolve("search-index.js")));
      context.eval("js", Files.readString(TARGET.resolve("search.js")));
      Value bindings = context.getBindings("js");
      Value found =
          bindings.getMember("wisentSearch").execute(bindings.getMember("wisentIndex"), words);
      List<String> addresses = new ArrayList<>();
      for (long i = 0; i < found.getArraySize(); i++) {
        addresses.add(found.getArrayElement(i).getMember("address").asString());
      }
      return addresses;
    }
  }
}
