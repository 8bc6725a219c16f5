package dev.wisent.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages that can be reached from the front page, and the contents that are beside each. */
final class Site {
  static final Path FRONT = Path.of("docs/index.md");
  private static final List<String> ASSETS = List.of("site.css", "search.js", "site.js");

  private final Path repository;
  private final Map<Path, Page> pages;
  private final Contents contents;

  private Site(Path repository, Map<Path, Page> pages) {
    this.repository = repository;
    this.pages = pages;
    this.contents = Contents.of(pages.get(FRONT));
  }

  /** Reads the front page, and what it and other pages link to. */
  static Site of(Path repository) throws IOException {
    Map<Path, Page> pages = new LinkedHashMap<>();
    Deque<Path> wanted = new ArrayDeque<>(List.of(FRONT));
    while (!wanted.isEmpty()) {
      Path source = wanted.removeFirst();
      if (!pages.containsKey(source)) {
        Page page = Page.read(repository, source);
        pages.put(source, page);
        page.linkedDocuments().forEach(wanted::addLast);
      }
    }
    return new Site(repository, pages);
  }

  Collection<Page> pages() {
    return pages.values();
  }

  Contents contents() {
    return contents;
  }

  void write(Path target) throws IOException {
    for (Page page : pages.values()) {
      Path file = target.resolve(page.address());
      Files.createDirectories(file.getParent());
      Files.writeString(file, Layout.html(page, contents));
      for (Path picture : page.pictures()) {
        Path copy = target.resolve(Page.pictureAddress(picture));
        Files.createDirectories(copy.getParent());
        Files.copy(repository.resolve(picture), copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.writeString(target.resolve("search-index.js"), SearchIndex.script(pages.values()));
    for (String asset : ASSETS) {
      try (InputStream in = Site.class.getResourceAsStream(asset)) {
        Files.write(target.resolve(asset), in.readAllBytes());
      }
    }
  }
}
