package dev.wisent.site;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the site: where the repository is, and a directory for the pages. */
public final class SiteMain {
  private SiteMain() {}

  public static void main(String[] arguments) throws IOException {
    Path target = Path.of(arguments[1]);
    Site site = Site.of(Path.of(arguments[0]));
    site.write(target);
    System.out.println(site.pages().size() + " pages in " + target);
  }
}
