package dev.wisent.testkit.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MarkdownPageTest {
  private static final String PAGE =
      """
      # A page

      <!-- servers: localhost:27017 = set of 3 -->

      ```sh
      one \\
        two
      three
      ```

      <!-- first js
      db.a.insertOne({})
      -->

      ## Part

      1. A list

         <!-- not run: needs a moon -->
         ```js
         if (a) {
           b
         }
         ```

      ```text
      c
      ```
      """;

  private final MarkdownPage page = MarkdownPage.parse("page.md", PAGE);

  @Test
  void blocksAreCutOut() {
    assertThat(page.blocks())
        .containsExactly(
            new CodeBlock("A page", "sh", "one \\\n  two\nthree\n", 6, "", false),
            new CodeBlock("A page", "js", "db.a.insertOne({})\n", 12, "", true),
            new CodeBlock("Part", "js", "if (a) {\n  b\n}\n", 21, "not run: needs a moon", false),
            new CodeBlock("Part", "text", "c\n", 27, "", false));
  }

  @Test
  void commandsGoOnOverLines() {
    assertThat(page.block("A page", "sh").commands()).containsExactly("one   two", "three");
  }

  @Test
  void marksAndRemarks() {
    assertThat(page.block("Part", "js").marked("not run")).contains("needs a moon");
    assertThat(page.block("Part", "js").marked("run by")).isEmpty();
    assertThat(page.block("Part", "text").marked("not run")).isEmpty();
    assertThat(page.remark("servers")).contains("localhost:27017 = set of 3");
    assertThat(page.remark("not run")).isEmpty();
  }

  @Test
  void thereIsOneBlock() {
    assertThatThrownBy(() -> page.block("Part", "sh")).hasMessageContaining("0 blocks in 'sh'");
    assertThat(page.in("js", "text")).hasSize(3);
  }

  @Test
  void testsFindTheBlocksThatTheyRun() {
    MarkdownPage marked =
        MarkdownPage.parse(
            "page.md",
            "<!-- run by: MarkdownPageTest -->\n"
                + "```sh\n"
                + "a\n"
                + "```\n\n"
                + "<!-- run by: Other -->\n"
                + "```sh\n"
                + "b\n"
                + "```\n");
    assertThat(marked.runBy(MarkdownPageTest.class))
        .extracting(CodeBlock::text)
        .containsExactly("a\n");
    assertThatThrownBy(() -> page.runBy(MarkdownPageTest.class))
        .hasMessageContaining("no block is run by MarkdownPageTest");
  }

  @Test
  void aBlockHasAnEnd() {
    assertThatThrownBy(() -> MarkdownPage.parse("page.md", "```js\na\n"))
        .hasMessageContaining("page.md:2: a block without an end");
  }

  @Test
  void theDocumentsOfTheCheckoutAreRead() throws IOException {
    assertThat(Checkout.documents())
        .contains(Checkout.file("README.md"), Checkout.file("docs/index.md"));
    assertThat(MarkdownPage.read("docs/tutorial.md").in("js")).isNotEmpty();
  }
}
