package dev.wisent.pipeline.sort;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A sort: fields and directions. {@code $natural} is not a field and must be dealt with before.
 *
 * @param collation how strings compare; null for the simple one
 */
public record SortPattern(List<Part> parts, Collation collation) {
  /**
   * One field of a sort.
   *
   * @param metadata what documents carry there; null for a field of their own
   */
  public record Part(FieldPath path, boolean descending, MetaType metadata) {
    public Part(FieldPath path, boolean descending) {
      this(path, descending, null);
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
      if (part.metadata() == null && !paths.add(part.path())) {
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

  /** What a document has to do with the query; the highest comes first, also of distances. */
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
    MetaType type = MetaType.of(name);
    return switch (type) {
      case TEXT_SCORE, RAND_VAL, GEO_NEAR_DISTANCE -> new Part(type.path(), true, type);
      case SEARCH_SCORE -> throw unsupported(ErrorCode.SORT_META_SEARCH_SCORE, type);
      case SEARCH_HIGHLIGHTS -> throw unsupported(ErrorCode.SORT_META_SEARCH_HIGHLIGHTS, type);
      case null, default ->
          throw new CommandException(
              ErrorCode.SORT_META_ILLEGAL, "Illegal $meta sort: $meta: " + ValueText.of(name));
    };
  }

  private static CommandException unsupported(ErrorCode code, MetaType type) {
    return new CommandException(
        code, "$meta sort by '" + type.text() + "' metadata is not supported");
  }

  /** What documents have to carry to be sorted. */
  public Set<MetaType> metadata() {
    if (!hasMetadata()) {
      return Set.of();
    }
    var metadata = EnumSet.noneOf(MetaType.class);
    parts.stream().map(Part::metadata).filter(Objects::nonNull).forEach(metadata::add);
    return metadata;
  }

  /** Whether documents are sorted by more than their own fields. */
  public boolean hasMetadata() {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).metadata() != null) {
        return true;
      }
    }
    return false;
  }

  /** Whether that is all they are sorted by. */
  public boolean isBy(MetaType type) {
    return parts.size() == 1 && parts.getFirst().metadata() == type;
  }

  /** Tells what of a document its place depends on. */
  public void addDependencies(Dependencies dependencies) {
    for (Part part : parts) {
      if (part.metadata() == null) {
        dependencies.addPath(part.path().dotted());
      } else {
        dependencies.addMetadata(part.metadata());
      }
    }
  }

  /** The pattern as explain shows it. */
  public RawDocument toDocument() {
    var out = new BsonBuilder();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.metadata() != null) {
        out.startDocument("$computed" + i).appendString("$meta", part.metadata().text()).end();
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
