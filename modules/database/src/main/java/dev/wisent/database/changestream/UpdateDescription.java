package dev.wisent.database.changestream;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What an update has changed, path by path, from the difference that the oplog has ({@link
 * dev.wisent.query.diff.DocumentDiff}).
 */
final class UpdateDescription {
  private final BsonBuilder updated = new BsonBuilder();
  private final BsonBuilder removed = new BsonBuilder();
  private final BsonBuilder truncated = new BsonBuilder();
  private final BsonBuilder disambiguated = new BsonBuilder();
  private final List<Part> path = new ArrayList<>();
  private int removedCount;
  private int truncatedCount;

  /** A name or an index on the way to a field. */
  private record Part(String text, boolean index) {
    /** Whether a path cannot be told from another one because of it. */
    boolean isAmbiguous(boolean first) {
      return !index && (text.indexOf('.') >= 0 || (!first && isNumeric()));
    }

    private boolean isNumeric() {
      boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
      return digits && (text.length() == 1 || text.charAt(0) != '0');
    }
  }

  private UpdateDescription() {}

  /**
   * @param disambiguated whether to tell names from indexes where paths do not
   */
  static RawDocument of(RawDocument diff, boolean disambiguated) {
    var description = new UpdateDescription();
    description.addDocument(diff);
    var out = new BsonBuilder();
    out.appendDocument("updatedFields", description.updated.toDocument());
    out.appendArray("removedFields", description.removed.toDocument());
    out.appendArray("truncatedArrays", description.truncated.toDocument());
    if (disambiguated) {
      out.appendDocument("disambiguatedPaths", description.disambiguated.toDocument());
    }
    return out.toDocument();
  }

  private void addDocument(RawDocument diff) {
    addFields(diff.get("u"));
    addFields(diff.get("i"));
    addRemoved(diff.get("d"));
    ElementCursor sections = diff.elements();
    while (sections.next()) {
      String name = sections.name();
      if (name.startsWith("s")) {
        addNested(new Part(name.substring(1), false), sections.value().asDocument());
      }
    }
  }

  private void addFields(RawValue section) {
    if (section != null) {
      ElementCursor fields = section.elements();
      while (fields.next()) {
        addUpdated(new Part(fields.name(), false), fields.value());
      }
    }
  }

  private void addRemoved(RawValue section) {
    if (section == null) {
      return;
    }
    ElementCursor fields = section.elements();
    while (fields.next()) {
      path.add(new Part(fields.name(), false));
      removed.append(removedCount++, RawValue.ofString(dotted()));
      addDisambiguated();
      path.removeLast();
    }
  }

  private void addUpdated(Part last, RawValue value) {
    path.add(last);
    updated.append(dotted().getBytes(StandardCharsets.UTF_8), value);
    addDisambiguated();
    path.removeLast();
  }

  private void addNested(Part part, RawDocument diff) {
    path.add(part);
    ElementCursor first = diff.elements();
    if (first.next() && first.name().equals("a") && first.type() == ElementType.BOOLEAN) {
      addArray(diff);
    } else {
      addDocument(diff);
    }
    path.removeLast();
  }

  private void addArray(RawDocument diff) {
    RawValue length = diff.get("l");
    if (length != null) {
      truncated.startDocument(truncatedCount++);
      truncated.appendString("field", dotted());
      truncated.appendInt32("newSize", (int) length.toLong());
      truncated.end();
      addDisambiguated();
    }
    ElementCursor elements = diff.elements();
    while (elements.next()) {
      String name = elements.name();
      if (name.length() > 1) {
        var part = new Part(name.substring(1), true);
        if (name.startsWith("u")) {
          addUpdated(part, elements.value());
        } else {
          addNested(part, elements.value().asDocument());
        }
      }
    }
  }

  private String dotted() {
    return String.join(".", path.stream().map(Part::text).toList());
  }

  private void addDisambiguated() {
    boolean ambiguous = false;
    for (int i = 0; i < path.size(); i++) {
      ambiguous |= path.get(i).isAmbiguous(i == 0);
    }
    if (!ambiguous) {
      return;
    }
    disambiguated.startArray(dotted());
    for (int i = 0; i < path.size(); i++) {
      Part part = path.get(i);
      disambiguated.append(
          i,
          part.index()
              ? RawValue.ofInt32(Integer.parseInt(part.text()))
              : RawValue.ofString(part.text()));
    }
    disambiguated.end();
  }
}
