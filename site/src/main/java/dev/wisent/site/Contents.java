package dev.wisent.site;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.BulletList;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/** The lists of the front page, each with the heading above it: they are beside every page. */
record Contents(Page front, List<Part> parts) {
  record Part(String title, List<Link> links) {}

  static Contents of(Page front) {
    List<Part> parts = new ArrayList<>();
    String title = "";
    for (Node node = front.root().getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        title = Words.of(heading);
      } else if (node instanceof BulletList list) {
        parts.add(new Part(title, firstLinks(list)));
      }
    }
    return new Contents(front, parts);
  }

  private static List<Link> firstLinks(BulletList list) {
    List<Link> links = new ArrayList<>();
    for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
      if (item.getFirstChild() instanceof Paragraph paragraph
          && paragraph.getFirstChild() instanceof Link link) {
        links.add(link);
      }
    }
    return links;
  }
}
