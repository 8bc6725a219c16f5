package dev.wisent.site;

import java.nio.file.Path;
import org.commonmark.node.Link;

/** A whole page: its text, the contents beside it, the search above it. */
final class Layout {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%1$s</title>
      <link rel="stylesheet" href="%2$ssite.css">
      <script src="%2$ssearch-index.js" defer></script>
      <script src="%2$ssearch.js" defer></script>
      <script src="%2$ssite.js" defer></script>
      </head>
      <body data-root="%2$s">
      <header>
      <a class="name" href="%2$sindex.html">Wisent</a>
      <input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
      <button id="theme" type="button" title="Light or dark">Light or dark</button>
      <ol id="found" aria-live="polite" hidden></ol>
      </header>
      <div class="columns">
      <nav aria-label="Contents">
      %3$s</nav>
      <main>
      %4$s</main>
      </div>
      </body>
      </html>
      """;

  private Layout() {}

  static String html(Page page, Contents contents) {
    String title = page.title();
    return PAGE.formatted(
        escaped(title.equals("Wisent") ? title : title + " – Wisent"),
        root(page),
        navigation(page, contents),
        page.html());
  }

  /** From the page up to the directory of the site. */
  private static String root(Page page) {
    return "../".repeat(page.address().getNameCount() - 1);
  }

  private static String navigation(Page page, Contents contents) {
    var out = new StringBuilder();
    for (Contents.Part part : contents.parts()) {
      out.append("<p>").append(escaped(part.title())).append("</p>\n<ul>\n");
      for (Link link : part.links()) {
        String address = contents.front().destination(link.getDestination());
        boolean here = Path.of(address).equals(page.address());
        out.append("<li><a href=\"").append(root(page)).append(address).append('"');
        out.append(here ? " aria-current=\"page\">" : ">");
        out.append(escaped(Words.of(link))).append("</a></li>\n");
      }
      out.append("</ul>\n");
    }
    return out.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
