package dev.wisent.query.diff;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes the second version of a document from the first and a {@link DocumentDiff}. On a document
 * that has the changes already, nothing happens.
 */
public final class DiffApplier {
  private static final RawDocument NOTHING = RawDocument.EMPTY;

  private DiffApplier() {}

  /**
   * @throws CommandException if this is not a difference of documents
   */
  public static RawDocument apply(RawDocument diff, RawDocument before) {
    var out = new BsonBuilder(before.length() + diff.length());
    applyToDocument(diff, before, out);
    return out.toDocument();
  }

  private static void applyToDocument(RawDocument diff, RawDocument before, BsonBuilder out) {
    var inserted = NOTHING;
    Map<String, Change> changes = new LinkedHashMap<>();
    ElementCursor sections = diff.elements();
    while (sections.next()) {
      String name = sections.name();
      RawDocument section = requireDocument(sections);
      switch (name) {
        case "d" -> put(section, Kind.DELETE, changes);
        case "u" -> put(section, Kind.SET, changes);
        case "i" -> {
          inserted = section;
          // Where it is now, it goes; it comes again at the end.
          put(section, Kind.DELETE, changes);
        }
        default -> {
          if (name.isEmpty() || name.charAt(0) != 's') {
            throw invalid("unexpected field '" + name + "' in the difference of a document");
          }
          changes.put(name.substring(1), new Change(Kind.NESTED, sections.value()));
        }
      }
    }
    ElementCursor fields = before.elements();
    while (fields.next()) {
      Change change = changes.remove(fields.name());
      if (change == null) {
        out.appendElement(fields);
      } else {
        change(change, fields, out);
      }
    }
    // A field to be set that is not there comes to the end, as MongoDB has it.
    changes.forEach(
        (name, change) -> {
          if (change.kind() == Kind.SET) {
            out.append(name.getBytes(StandardCharsets.UTF_8), change.value());
          }
        });
    out.appendAll(inserted);
  }

  /** What happens to a field. */
  private enum Kind {
    DELETE,
    SET,
    NESTED
  }

  private record Change(Kind kind, RawValue value) {}

  private static void put(RawDocument section, Kind kind, Map<String, Change> changes) {
    ElementCursor fields = section.elements();
    while (fields.next()) {
      changes.put(fields.name(), new Change(kind, fields.value()));
    }
  }

  private static void change(Change change, ElementCursor field, BsonBuilder out) {
    switch (change.kind()) {
      case DELETE -> {}
      case SET -> out.appendUnderNameOf(field, change.value());
      case NESTED -> {
        RawDocument diff = change.value().asDocument();
        byte expected = isOfArray(diff) ? ElementType.ARRAY : ElementType.DOCUMENT;
        if (field.type() != expected) {
          // It is of a later version already, and whatever made it so is applied again, too.
          out.appendElement(field);
          return;
        }
        out.startUnderNameOf(field, expected);
        applyToOpen(diff, field.value().asDocument(), out);
        out.end();
      }
    }
  }

  private static void applyToOpen(RawDocument diff, RawDocument before, BsonBuilder out) {
    if (isOfArray(diff)) {
      applyToArray(diff, before, out);
    } else {
      applyToDocument(diff, before, out);
    }
  }

  private static boolean isOfArray(RawDocument diff) {
    ElementCursor fields = diff.elements();
    return fields.next() && fields.name().equals("a") && fields.type() == ElementType.BOOLEAN;
  }

  private static void applyToArray(RawDocument diff, RawDocument before, BsonBuilder out) {
    int length = Integer.MAX_VALUE;
    Map<Integer, Change> changes = new LinkedHashMap<>();
    ElementCursor parts = diff.elements();
    while (parts.next()) {
      String name = parts.name();
      if (name.equals("l")) {
        length = length(parts.value());
      } else if (!name.equals("a")) {
        changes.put(index(name), change(name.charAt(0), parts));
      }
    }
    int at = 0;
    ElementCursor elements = before.elements();
    while (at < length && elements.next()) {
      Change change = changes.remove(at);
      if (change == null) {
        out.append(at, elements.value());
      } else {
        changeElement(change, at, elements.value(), out);
      }
      at++;
    }
    int end = changes.keySet().stream().mapToInt(i -> i + 1).max().orElse(0);
    if (length != Integer.MAX_VALUE) {
      end = length;
    }
    for (; at < end; at++) {
      Change change = changes.get(at);
      out.append(at, change != null && change.kind() == Kind.SET ? change.value() : RawValue.NULL);
    }
  }

  private static void changeElement(Change change, int at, RawValue before, BsonBuilder out) {
    if (change.kind() == Kind.SET) {
      out.append(at, change.value());
      return;
    }
    RawDocument diff = change.value().asDocument();
    if (before.type() != (isOfArray(diff) ? ElementType.ARRAY : ElementType.DOCUMENT)) {
      out.append(at, before);
      return;
    }
    if (before.isArray()) {
      out.startArray(at);
    } else {
      out.startDocument(at);
    }
    applyToOpen(diff, before.asDocument(), out);
    out.end();
  }

  private static int length(RawValue value) {
    if (!value.isNumber() || value.toLong() < 0 || value.toLong() > ARRAY_LENGTH_MAX) {
      throw invalid("'l' must be a length");
    }
    return (int) value.toLong();
  }

  private static Change change(char kind, ElementCursor part) {
    return switch (kind) {
      case 'u' -> new Change(Kind.SET, part.value());
      case 's' -> {
        requireDocument(part);
        yield new Change(Kind.NESTED, part.value());
      }
      default ->
          throw invalid("unexpected field '" + part.name() + "' in the difference of an array");
    };
  }

  /** More elements do not fit into a document. */
  private static final int ARRAY_LENGTH_MAX = 1 << 24;

  private static int index(String name) {
    try {
      int index = Integer.parseInt(name.substring(1));
      if (index >= 0 && index < ARRAY_LENGTH_MAX) {
        return index;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw invalid("unexpected field '" + name + "' in the difference of an array");
  }

  private static RawDocument requireDocument(ElementCursor field) {
    if (field.type() != ElementType.DOCUMENT) {
      throw invalid("'" + field.name() + "' must be a document");
    }
    return field.value().asDocument();
  }

  private static CommandException invalid(String why) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, "Invalid difference: " + why);
  }
}
