package dev.wisent.query.text;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import java.util.Map;

/**
 * Finds the strings of a document that a text index has. Paths lead through arrays, of which each
 * string counts, but not through an array in an array unless all fields are indexed.
 */
final class TextFields {
  private static final double DEFAULT_WEIGHT = 1;

  /** Takes one string after the other. */
  @FunctionalInterface
  interface Visitor {
    /** Whether to go on. */
    boolean visit(String text, TextLanguage language, double weight);
  }

  private final TextIndexSpec spec;
  private final Visitor visitor;

  private TextFields(TextIndexSpec spec, Visitor visitor) {
    this.spec = spec;
    this.visitor = visitor;
  }

  /** Whether the visitor saw all strings. */
  static boolean forEach(TextIndexSpec spec, RawDocument document, Visitor visitor) {
    return new TextFields(spec, visitor).walk(document, spec.defaultLanguage(), "", false);
  }

  private boolean walk(RawDocument document, TextLanguage outer, String path, boolean inArray) {
    TextLanguage language = spec.language(document, outer);
    ElementCursor fields = document.elements();
    while (fields.next()) {
      byte type = fields.type();
      if (type != ElementType.STRING && type != ElementType.DOCUMENT && type != ElementType.ARRAY) {
        continue;
      }
      if (inArray) {
        if (!field(fields, path, language, true)) {
          return false;
        }
        continue;
      }
      String name = fields.name();
      boolean isLanguage = spec.wildcard() && name.equals(spec.languageField());
      if (!isLanguage
          && !field(fields, path.isEmpty() ? name : path + '.' + name, language, false)) {
        return false;
      }
    }
    return true;
  }

  private boolean field(ElementCursor field, String path, TextLanguage language, boolean inArray) {
    boolean document = field.type() == ElementType.DOCUMENT;
    Map.Entry<String, Double> next = spec.weights().ceilingEntry(document ? path + '.' : path);
    if (!spec.wildcard() && (next == null || !isAtOrBelow(next.getKey(), path))) {
      return true;
    }
    boolean exact = next != null && next.getKey().equals(path);
    return switch (field.type()) {
      case ElementType.STRING ->
          !(exact || spec.wildcard())
              || visitor.visit(field.value().asString(), language, weight(next));
      case ElementType.DOCUMENT ->
          (exact && !spec.wildcard()) || walk(field.value().asDocument(), language, path, false);
      case ElementType.ARRAY ->
          (inArray && !spec.wildcard()) || walk(field.value().asDocument(), language, path, true);
      default -> true;
    };
  }

  /**
   * With a wildcard MongoDB (8.0) gives a field that has no weight that of the next path in the
   * order of the alphabet.
   */
  private static double weight(Map.Entry<String, Double> next) {
    return next == null ? DEFAULT_WEIGHT : next.getValue();
  }

  private static boolean isAtOrBelow(String indexed, String path) {
    return indexed.startsWith(path)
        && (indexed.length() == path.length() || indexed.charAt(path.length()) == '.');
  }
}
