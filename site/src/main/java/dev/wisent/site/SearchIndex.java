package dev.wisent.site;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/** What the search looks through: the parts of all pages, each from one heading to the next. */
final class SearchIndex {
  /**
   * @param address of the part: a page and an anchor
   */
  record Part(String address, String page, String heading, String text) {}

  private SearchIndex() {}

  static List<Part> parts(Collection<Page> pages) {
    List<Part> parts = new ArrayList<>();
    for (Page page : pages) {
      String address = page.address().toString().replace('\\', '/');
      String heading = page.title();
      var text = new StringBuilder();
      for (Node node = page.root().getFirstChild(); node != null; node = node.getNext()) {
        if (node instanceof Heading next) {
          if (!text.isEmpty()) {
            parts.add(new Part(address, page.title(), heading, text.toString().strip()));
          }
          heading = Words.of(next);
          address =
              page.address().toString().replace('\\', '/') + "#" + page.anchors().get(next);
          text.setLength(0);
        } else {
          text.append(Words.of(node)).append('\n');
        }
      }
      parts.add(new Part(address, page.title(), heading, text.toString().strip()));
    }
    return parts;
  }

  /** A script and no JSON: pages that are read from a disk may not fetch files. */
  static String script(Collection<Page> pages) {
    var out = new StringBuilder("globalThis.wisentIndex = [\n");
    for (Part part : parts(pages)) {
      out.append("{\"address\":").append(quoted(part.address()));
      out.append(",\"page\":").append(quoted(part.page()));
      out.append(",\"heading\":").append(quoted(part.heading()));
      out.append(",\"text\":").append(quoted(part.text())).append("},\n");
    }
    return out.append("];\n").toString();
  }

  private static String quoted(String text) {
    var out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '<' -> out.append("\\u003c");
        default -> {
          if (c < ' ') {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }
}
