package dev.wisent.conformance.pages;

import dev.wisent.testkit.page.Checkout;
import dev.wisent.testkit.page.MarkdownPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents have readers type does what they say. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesTest {
  /** Those that are run from top to bottom. Other pages have tests of their own, or no code. */
  static final List<String> PAGES =
      List.of(
          "README.md",
          "docs/index.md",
          "docs/tutorial.md",
          "docs/tutorial-monitoring.md",
          "docs/tutorial-social.md",
          "docs/operations.md",
          "docs/shard-keys.md",
          "docs/tools.md",
          "docs/coming-from-mongodb.md",
          "docs/sharding.md");

  /** With {@code -Dwisent.pictures.write=true} they are made anew. */
  private static final Map<String, String> SHARD_KEY_PICTURES =
      Map.of(
          "{continent: 1}", "shard-key-continent.svg",
          "{sentAt: 1}", "shard-key-sent-at.svg",
          "{md5: 1}", "shard-key-md5.svg",
          "{month: 1, user: 1}", "shard-key-month-user.svg",
          "{host: 1}", "shard-key-host.svg",
          "{_id: 'hashed'}", "shard-key-hashed-id.svg",
          "{host: 1, ssk: 1}", "shard-key-host-ssk.svg");

  private PageRun run;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    run = PageRun.start(directory);
  }

  @AfterAll
  void end() {
    if (run != null) {
      run.close();
    }
  }

  static List<String> pages() {
    return PAGES;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void doesWhatItSays(String page) throws IOException {
    run.run(MarkdownPage.read(page), false);
    if (page.equals("docs/shard-keys.md") && Boolean.getBoolean("wisent.pictures.write")) {
      ShardKeyPictures.write(
          run.file("advice.html"), Checkout.file("docs/images"), SHARD_KEY_PICTURES);
    }
  }
}
