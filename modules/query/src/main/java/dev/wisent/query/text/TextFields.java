package dev.wisent.query.text;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;

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
      if (!isLanguage && !field(fields, below(path, name), language, false)) {
        return false;
      }
    }
    return true;
  }

  /** The path to a field. Nothing but a wildcard leads to a name that has a dot in it. */
  private static String below(String path, String name) {
    if (path == null || name.indexOf('.') >= 0) {
      return null;
    }
    return path.isEmpty() ? name : path + '.' + name;
  }

  /**
   * @param path null where only a wildcard leads to the field
   */
  private boolean field(ElementCursor field, String path, TextLanguage language, boolean inArray) {
    Double weight = path == null ? null : spec.weights().get(path);
    if (!spec.wildcard() && weight == null && !leadsToWeight(path)) {
      return true;
    }
    return switch (field.type()) {
      case ElementType.STRING ->
          (weight == null && !spec.wildcard())
              || visitor.visit(
                  field.value().asString(), language, weight == null ? DEFAULT_WEIGHT : weight);
      case ElementType.DOCUMENT ->
          !(spec.wildcard() || leadsToWeight(path))
              || walk(field.value().asDocument(), language, path, false);
      case ElementType.ARRAY ->
          (inArray && !spec.wildcard()) || walk(field.value().asDocument(), language, path, true);
      default -> true;
    };
  }

  /** Whether a field below has a weight. */
  private boolean leadsToWeight(String path) {
    if (path == null) {
      return false;
    }
    String next = spec.weights().ceilingKey(path + '.');
    return next != null && next.startsWith(path + '.');
  }
}
