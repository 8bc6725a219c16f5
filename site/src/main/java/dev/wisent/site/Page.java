package dev.wisent.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * One document.
 *
 * @param source where it is in the repository
 * @param root what its text is parsed into
 * @param anchors of its headings, in their order
 */
record Page(Path source, Node root, Map<Heading, String> anchors) {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  static Page read(Path repository, Path source) throws IOException {
    Node root = PARSER.parse(Files.readString(repository.resolve(source)));
    return new Page(source, root, anchorsOf(root));
  }

  private static Map<Heading, String> anchorsOf(Node root) {
    Map<Heading, String> anchors = new LinkedHashMap<>();
    Map<String, Integer> taken = new LinkedHashMap<>();
    root.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String anchor = anchor(Words.of(heading));
            int before = taken.merge(anchor, 1, Integer::sum) - 1;
            anchors.put(heading, before == 0 ? anchor : anchor + "-" + before);
          }
        });
    return anchors;
  }

  /** As GitHub makes them, so that links between documents work there and here. */
  static String anchor(String heading) {
    return heading
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .replace(' ', '-');
  }

  /** Of the first heading. */
  String title() {
    return anchors.keySet().stream().findFirst().map(Words::of).orElse(source.toString());
  }

  /** Where it is in the site: {@code docs/a/b.md} is {@code a/b.html}. */
  Path address() {
    return address(source);
  }

  private static Path address(Path source) {
    String path = source.toString().replace('\\', '/');
    boolean inDocs = path.startsWith("docs/");
    String name = inDocs ? path.substring("docs/".length()) : "project/" + path;
    String html =
        name.toLowerCase(Locale.ROOT).replaceFirst("(^|/)readme\\.md$", "$1index.md");
    return Path.of(html.substring(0, html.length() - "md".length()) + "html");
  }

  /** Where another page is, as seen from this one. */
  String pathTo(Path address) {
    Path here = address().getParent();
    return (here == null ? address : here.relativize(address)).toString().replace('\\', '/');
  }

  /** The documents of the repository that this one names, without those it is one of. */
  List<Path> linkedDocuments() {
    List<Path> found = new ArrayList<>();
    links().forEach(link -> document(link.getDestination()).ifPresent(found::add));
    return found;
  }

  List<Link> links() {
    List<Link> links = new ArrayList<>();
    root.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            links.add(link);
            visitChildren(link);
          }
        });
    return links;
  }

  /** The pictures of the page, by where they are in the repository. */
  List<Path> pictures() {
    List<Path> pictures = new ArrayList<>();
    root.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Image image) {
            pictures.add(resolved(image.getDestination()));
          }
        });
    return pictures;
  }

  /** Where a picture is in the site, which is where a page beside it would be. */
  static Path pictureAddress(Path picture) {
    String path = picture.toString().replace('\\', '/');
    return Path.of(path.startsWith("docs/") ? path.substring("docs/".length()) : "project/" + path);
  }

  private Path resolved(String path) {
    return Optional.ofNullable(source.getParent()).orElse(Path.of("")).resolve(path).normalize();
  }

  private Optional<Path> document(String destination) {
    String path = withoutAnchor(destination);
    return path.contains("://") || !path.endsWith(".md")
        ? Optional.empty()
        : Optional.of(resolved(path));
  }

  private static String withoutAnchor(String destination) {
    int hash = destination.indexOf('#');
    return hash < 0 ? destination : destination.substring(0, hash);
  }

  /** What a link of the document is in the site. */
  String destination(String link) {
    return document(link)
        .map(target -> pathTo(address(target)) + link.substring(withoutAnchor(link).length()))
        .orElse(link);
  }

  /** The text without the contents and the search around it. */
  String html() {
    return HtmlRenderer.builder()
        .extensions(EXTENSIONS)
        .attributeProviderFactory(
            context ->
                (node, tag, attributes) -> {
                  if (node instanceof Heading heading) {
                    attributes.put("id", anchors.get(heading));
                  } else if (node instanceof Link link) {
                    attributes.put("href", destination(link.getDestination()));
                  } else if (node instanceof Image image) {
                    Path picture = resolved(image.getDestination());
                    attributes.put("src", pathTo(pictureAddress(picture)));
                    attributes.put("loading", "lazy");
                  }
                })
        .build()
        .render(root);
  }
}
