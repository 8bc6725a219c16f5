package dev.wisent.query.update;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;
import java.util.List;

/**
 * The short way for updates of a few top-level fields that are there and keep their size, such as
 * counters: one copy of the document, with the new values written over the old ones.
 */
final class TopLevelPatch {
  private static final int FIELDS_MAX = 8;

  private final Branch.Child[] fields;
  private final FieldOperator[] operators;

  private TopLevelPatch(Branch.Child[] fields, FieldOperator[] operators) {
    this.fields = fields;
    this.operators = operators;
  }

  /** Null where the update is not of that kind. */
  static TopLevelPatch of(Branch root) {
    List<Branch.Child> children = root.children();
    if (root.positional() != null || children.isEmpty() || children.size() > FIELDS_MAX) {
      return null;
    }
    var operators = new FieldOperator[children.size()];
    for (int i = 0; i < operators.length; i++) {
      String name = children.get(i).name().text();
      boolean plain =
          children.get(i).node() instanceof PathNode.FieldLeaf leaf
              && leaf.operator().isRepeatable()
              && !leaf.operator().insertOnly()
              && leaf.operator().addedDepth() == 0
              && !name.equals("_id")
              && !name.startsWith("$");
      if (!plain) {
        return null;
      }
      operators[i] = ((PathNode.FieldLeaf) children.get(i).node()).operator();
    }
    return new TopLevelPatch(children.toArray(Branch.Child[]::new), operators);
  }

  /** The new document, the original where nothing changes, or null to go the long way. */
  RawDocument apply(RawDocument original) {
    byte[] out = null;
    int found = 0;
    int all = (1 << fields.length) - 1;
    ElementCursor cursor = original.elements();
    while (found != all && cursor.next()) {
      int field = indexOf(cursor, found);
      if (field < 0) {
        continue;
      }
      found |= 1 << field;
      RawValue current = cursor.value();
      RawValue result = operators[field].modify(current, target(original, field));
      if (result == null) {
        continue;
      }
      if (result.length() != current.length() || result == FieldOperator.REMOVED) {
        return null;
      }
      if (out == null) {
        out = original.toByteArray();
      }
      int shift = -original.offset();
      out[cursor.elementOffset() + shift] = result.type();
      System.arraycopy(
          result.bytes(), result.offset(), out, cursor.valueOffset() + shift, result.length());
    }
    if (found != all) {
      return null;
    }
    return out == null ? original : RawDocument.of(out);
  }

  private int indexOf(ElementCursor cursor, int found) {
    for (int i = 0; i < fields.length; i++) {
      if ((found & 1 << i) == 0 && cursor.nameEquals(fields[i].name().utf8())) {
        return i;
      }
    }
    return -1;
  }

  private Target target(RawDocument original, int field) {
    return new TopLevelTarget(original, fields[field].name().text());
  }

  private record TopLevelTarget(RawDocument document, String field) implements Target {
    @Override
    public String path() {
      return field;
    }

    @Override
    public String documentId() {
      RawValue id = document.get("_id");
      return id == null ? "no id" : ElementText.of("_id", id);
    }
  }
}
