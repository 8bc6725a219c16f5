package dev.wisent.query.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TextScore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A sort: fields and directions. {@code $natural} is not a field and must be dealt with before.
 *
 * @param collation how strings compare; null for the simple one
 */
public record SortPattern(List<Part> parts, Collation collation) {
  private static final Set<String> META_SORTS =
      Set.of("textScore", "randVal", "geoNearDistance", "searchScore", "vectorSearchScore");

  private static final String TEXT_SCORE = "textScore";

  /** One field of a sort. */
  public record Part(FieldPath path, boolean descending) {
    boolean isTextScore() {
      return path.equals(TextScore.PATH);
    }
  }

  public SortPattern {
    parts = List.copyOf(parts);
  }

  public static SortPattern parse(RawDocument sort) {
    return parse(sort, null);
  }

  public static SortPattern parse(RawDocument sort, Collation collation) {
    var parts = new ArrayList<Part>();
    var paths = new HashSet<FieldPath>();
    ElementCursor elements = sort.elements();
    while (elements.next()) {
      RawValue order = elements.value();
      Part part = order.isDocument() ? meta(order) : part(elements.name(), order);
      if (!paths.add(part.path())) {
        throw new CommandException(
            ErrorCode.SORT_KEY_DUPLICATE,
            "$sort key must not contain duplicate keys (duplicate: '" + part.path() + "')");
      }
      parts.add(part);
    }
    if (parts.size() > Limits.INDEX_FIELDS_MAX) {
      throw new CommandException(ErrorCode.TOO_MANY_COMPOUND_KEYS, "too many compound keys");
    }
    return new SortPattern(parts, collation);
  }

  private static Part part(String name, RawValue order) {
    if (!order.isNumber()) {
      throw new CommandException(
          ErrorCode.SORT_KEY_ILLEGAL,
          "Illegal key in $sort specification: " + name + ": " + ValueText.of(order));
    }
    long direction = order.toLong();
    if (direction != 1 && direction != -1) {
      throw new CommandException(
          ErrorCode.SORT_ORDER_ILLEGAL,
          "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    return new Part(FieldPath.strict(name), direction < 0);
  }

  /** What a document has to do with the query; the best comes first. */
  private static Part meta(RawValue order) {
    ElementCursor elements = order.elements();
    if (!elements.next() || !elements.name().equals("$meta")) {
      throw new CommandException(
          ErrorCode.SORT_EXPRESSION_ILLEGAL,
          "$meta is the only expression supported by $sort right now");
    }
    RawValue name = elements.value();
    if (elements.next()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot have additional keys in a $meta sort specification");
    }
    if (!name.isString() || !META_SORTS.contains(name.asString())) {
      throw new CommandException(
          ErrorCode.SORT_META_ILLEGAL, "Illegal $meta sort: $meta: " + ValueText.of(name));
    }
    if (name.asString().equals(TEXT_SCORE)) {
      return new Part(TextScore.PATH, true);
    }
    throw new CommandException(
        ErrorCode.NOT_IMPLEMENTED,
        "Sorting by $meta \"" + name.asString() + "\" is not supported yet");
  }

  /** Whether documents are sorted by how well they fit a text search. */
  public boolean needsTextScore() {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).isTextScore()) {
        return true;
      }
    }
    return false;
  }

  /** Whether that is all they are sorted by. */
  public boolean isTextScore() {
    return parts.size() == 1 && parts.getFirst().isTextScore();
  }

  /** The pattern as explain shows it. */
  public RawDocument toDocument() {
    var out = new BsonBuilder();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.isTextScore()) {
        out.startDocument("$computed" + i).appendString("$meta", TEXT_SCORE).end();
      } else {
        out.appendInt32(part.path().dotted(), part.descending() ? -1 : 1);
      }
    }
    return out.toDocument();
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }
}
