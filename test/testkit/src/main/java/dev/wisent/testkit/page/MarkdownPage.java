package dev.wisent.testkit.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document, and the code in it. A comment says what readers need not see:
 *
 * <ul>
 *   <li>on the line above a fence, how the block is checked: its mark;
 *   <li>{@code <!-- first js} and lines up to {@code -->}: code that runs, and is not shown; {@code
 *       first long js} marks it as {@value #LONG_RUN};
 *   <li>{@code <!-- NAME: VALUE -->} anywhere else: a remark on the page.
 * </ul>
 *
 * @param path in the repository
 * @param blocks in the order of the page
 * @param remarks those of the page, without those that are marks of a block
 */
public record MarkdownPage(String path, List<CodeBlock> blocks, List<String> remarks) {
  private static final Pattern FENCE = Pattern.compile("( *)```(\\w*)");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
  private static final Pattern COMMENT = Pattern.compile(" *<!-- +(.*?) +-->");
  private static final Pattern HIDDEN = Pattern.compile("<!-- first (long )?(\\w+)");

  /** The mark of what is not run by {@code mvn verify}. */
  public static final String LONG_RUN = "long run";

  /** The mark of what a test of its own runs, which is named behind it. */
  public static final String RUN_BY = "run by";

  private static final String END_OF_HIDDEN = "-->";

  public MarkdownPage {
    blocks = List.copyOf(blocks);
    remarks = List.copyOf(remarks);
  }

  /** Reads a page by its path in the repository. */
  public static MarkdownPage read(String path) {
    try {
      return parse(path, Files.readString(Checkout.file(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MarkdownPage parse(String path, String text) {
    return new Reader(path, text.lines().toList()).read();
  }

  /** The value of a remark {@code NAME: VALUE}. */
  public Optional<String> remark(String name) {
    String start = name + ":";
    return remarks.stream()
        .filter(remark -> remark.startsWith(start))
        .map(remark -> remark.substring(start.length()).strip())
        .findFirst();
  }

  /** The only block in a language below a heading. */
  public CodeBlock block(String heading, String language) {
    List<CodeBlock> found =
        blocks.stream()
            .filter(block -> block.heading().equals(heading) && block.language().equals(language))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(
          path + ": " + found.size() + " blocks in '" + language + "' below: " + heading);
    }
    return found.getFirst();
  }

  /** The blocks that a test runs by itself, in the order of the page. There is one at least. */
  public List<CodeBlock> runBy(Class<?> test) {
    List<CodeBlock> found =
        blocks.stream()
            .filter(block -> block.marked(RUN_BY).filter(test.getSimpleName()::equals).isPresent())
            .toList();
    if (found.isEmpty()) {
      throw new AssertionError(path + ": no block is run by " + test.getSimpleName());
    }
    return found;
  }

  /** The blocks in some languages. */
  public List<CodeBlock> in(String... languages) {
    List<String> wanted = List.of(languages);
    return blocks.stream().filter(block -> wanted.contains(block.language())).toList();
  }

  /** Goes through the lines once. Confined to one thread. */
  private static final class Reader {
    private final String path;
    private final List<String> lines;
    private final List<CodeBlock> blocks = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private String heading = "";
    private String comment; // that of the line above; null for none
    private int next;

    Reader(String path, List<String> lines) {
      this.path = path;
      this.lines = lines;
    }

    MarkdownPage read() {
      while (next < lines.size()) {
        String line = lines.get(next++);
        Matcher fence = FENCE.matcher(line);
        Matcher title = HEADING.matcher(line);
        Matcher remark = COMMENT.matcher(line);
        Matcher hidden = HIDDEN.matcher(line);
        if (fence.matches()) {
          String mark = comment == null ? "" : comment;
          comment = null;
          add(fence.group(2), fence.group(1) + "```", fence.group(1).length(), mark, false);
        } else if (hidden.matches()) {
          add(hidden.group(2), END_OF_HIDDEN, 0, hidden.group(1) == null ? "" : LONG_RUN, true);
        } else if (remark.matches()) {
          endComment();
          comment = remark.group(1);
        } else {
          endComment();
          heading = title.matches() ? title.group(1) : heading;
        }
      }
      endComment();
      return new MarkdownPage(path, blocks, remarks);
    }

    private void endComment() {
      if (comment != null) {
        remarks.add(comment);
        comment = null;
      }
    }

    private void add(String language, String end, int indent, String mark, boolean hidden) {
      int first = next + 1;
      var text = new StringBuilder();
      while (next < lines.size() && !lines.get(next).equals(end)) {
        String line = lines.get(next++);
        text.append(line.isBlank() ? "" : line.substring(indent)).append('\n');
      }
      if (next == lines.size()) {
        throw new AssertionError(path + ":" + first + ": a block without an end");
      }
      next++;
      blocks.add(new CodeBlock(heading, language, text.toString(), first, mark, hidden));
    }
  }
}
