package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** Writes one projected document. */
final class ProjectionWriter {
  /** Where in a document the writer is; some steps act only outside of certain arrays. */
  enum Context {
    OUTSIDE_ARRAYS,
    /** In documents in an array: positional steps are done, slices still apply. */
    IN_ARRAY,
    /** In an array that is an element of an array: slices do not apply either. */
    IN_NESTED_ARRAY
  }

  private static final int ABSENT = -1;

  private final boolean inclusion;
  private final int matchedIndex;
  private final BsonBuilder out;

  /**
   * @param matchedIndex the position of the array element that matched the query, or -1
   */
  ProjectionWriter(boolean inclusion, int matchedIndex, BsonBuilder out) {
    this.inclusion = inclusion;
    this.matchedIndex = matchedIndex;
    this.out = out;
  }

  /** Appends the projected fields of one document to the one that is open. */
  void document(ProjectionNode node, ElementCursor fields, Context context) {
    if (inclusion) {
      include(node, fields, context);
    } else {
      exclude(node, fields, context);
    }
  }

  private void include(ProjectionNode node, ElementCursor fields, Context context) {
    RawValue[] appendedLast = null;
    long unseen = node.size() < Long.SIZE ? (1L << node.size()) - 1 : -1;
    // Ends early once all fields are there. Bit 63 is never cleared: many fields, no early end.
    while (unseen != 0 && fields.next()) {
      int i = node.find(fields);
      if (i < 0) {
        continue;
      }
      unseen &= i < Long.SIZE - 1 ? ~(1L << i) : -1;
      if (node.step(i) instanceof FieldAction.FirstMatch) {
        appendedLast = appendedLast == null ? new RawValue[node.size()] : appendedLast;
        appendedLast[i] = fields.value();
      } else {
        apply(node.step(i), fields, context);
      }
    }
    for (int i = 0; appendedLast != null && i < appendedLast.length; i++) {
      if (appendedLast[i] != null && node.step(i) instanceof FieldAction.FirstMatch match) {
        firstMatch(match, node.name(i), appendedLast[i]);
      }
    }
  }

  private void exclude(ProjectionNode node, ElementCursor fields, Context context) {
    int keptFrom = ABSENT;
    int keptTo = ABSENT;
    while (fields.next()) {
      int i = node.find(fields);
      if (i < 0) {
        keptFrom = keptFrom == ABSENT ? fields.elementOffset() : keptFrom;
        keptTo = fields.elementOffset() + fields.elementLength();
        continue;
      }
      copyRange(fields.bytes(), keptFrom, keptTo);
      keptFrom = ABSENT;
      if (node.step(i) instanceof FieldAction.FirstMatch match) {
        firstMatch(match, node.name(i), fields.value());
      } else {
        apply(node.step(i), fields, context);
      }
    }
    copyRange(fields.bytes(), keptFrom, keptTo);
  }

  /** Elements that stand side by side are copied in one go. */
  private void copyRange(byte[] bytes, int from, int to) {
    if (from != ABSENT) {
      // A document of exactly these elements, if one looks at them only.
      out.appendAll(new RawDocument(bytes, from - 4, to - from + 5));
    }
  }

  private void apply(FieldAction step, ElementCursor field, Context context) {
    switch (step) {
      case FieldAction.Keep() -> out.appendElement(field);
      case FieldAction.Drop() -> {}
      case FieldAction.Computed ignored -> {}
      case FieldAction.Inside inside -> inside(inside, field, context);
      case FieldAction.Slice slice -> slice(slice, field, context);
      case FieldAction.Positional() -> positional(field, context);
      case FieldAction.FirstMatch ignored ->
          throw new IllegalStateException("$elemMatch is handled by the caller");
    }
  }

  private void inside(FieldAction.Inside step, ElementCursor field, Context context) {
    switch (field.type()) {
      case ElementType.DOCUMENT -> {
        out.startUnderNameOf(field, ElementType.DOCUMENT);
        document(step.node(), field.value().elements(), context);
        out.end();
      }
      case ElementType.ARRAY -> {
        out.startUnderNameOf(field, ElementType.ARRAY);
        if (step.positional() && context == Context.OUTSIDE_ARRAYS) {
          matchedElement(step.node(), field.value());
        } else {
          Context inner = context == Context.OUTSIDE_ARRAYS ? Context.IN_ARRAY : context;
          elements(step.node(), field.value(), inner);
        }
        out.end();
      }
      default -> {
        if (!inclusion || step.node().hasComputed()) {
          // Where something is computed below, it is replaced later, in its place.
          out.appendElement(field);
        }
      }
    }
  }

  /** An inclusion below an array leaves out the elements that have no fields. */
  private void elements(ProjectionNode node, RawValue array, Context context) {
    ElementCursor elements = array.elements();
    int count = 0;
    while (elements.next()) {
      if (element(node, elements, count, context)) {
        count++;
      }
    }
  }

  private boolean element(ProjectionNode node, ElementCursor element, int index, Context context) {
    switch (element.type()) {
      case ElementType.DOCUMENT -> {
        out.startDocument(index);
        document(node, element.value().elements(), context);
        out.end();
      }
      case ElementType.ARRAY -> {
        out.startArray(index);
        elements(node, element.value(), Context.IN_NESTED_ARRAY);
        out.end();
      }
      default -> {
        if (inclusion && !node.hasComputed()) {
          return false;
        }
        out.append(index, element.value());
      }
    }
    return true;
  }

  /**
   * The matched element of an array on the way to a positional projection. MongoDB counts in the
   * array that is left after the inclusion, and so do we.
   */
  private void matchedElement(ProjectionNode node, RawValue array) {
    requireMatchedIndex();
    ElementCursor elements = array.elements();
    int count = 0;
    while (elements.next()) {
      if (elements.type() == ElementType.DOCUMENT || elements.type() == ElementType.ARRAY) {
        if (count == matchedIndex) {
          element(node, elements, 0, Context.IN_ARRAY);
          return;
        }
        count++;
      }
    }
    throw mismatch();
  }

  private void positional(ElementCursor field, Context context) {
    if (field.type() != ElementType.ARRAY || context != Context.OUTSIDE_ARRAYS) {
      out.appendElement(field);
      return;
    }
    requireMatchedIndex();
    ElementCursor elements = field.value().elements();
    for (int i = 0; elements.next(); i++) {
      if (i == matchedIndex) {
        out.startUnderNameOf(field, ElementType.ARRAY);
        out.append(0, elements.value());
        out.end();
        return;
      }
    }
    throw mismatch();
  }

  private void requireMatchedIndex() {
    if (matchedIndex < 0) {
      throw new CommandException(
          ErrorCode.OUT_OF_RANGE_POSITIONAL,
          "positional operator '.$' couldn't find a matching element in the array");
    }
  }

  private static CommandException mismatch() {
    return new CommandException(
        ErrorCode.PROJECTION_POSITIONAL_MISMATCH, "positional operator '.$' element mismatch");
  }

  private void slice(FieldAction.Slice slice, ElementCursor field, Context context) {
    if (field.type() != ElementType.ARRAY || context == Context.IN_NESTED_ARRAY) {
      out.appendElement(field);
      return;
    }
    int size = field.value().asDocument().fieldCount();
    int start = slice.start(size);
    int end = slice.end(size);
    out.startUnderNameOf(field, ElementType.ARRAY);
    ElementCursor elements = field.value().elements();
    for (int i = 0; i < end && elements.next(); i++) {
      if (i >= start) {
        out.append(i - start, elements.value());
      }
    }
    out.end();
  }

  private void firstMatch(FieldAction.FirstMatch step, byte[] name, RawValue value) {
    if (!value.isArray()) {
      return;
    }
    int index = step.condition().firstMatch(value);
    if (index < 0) {
      return;
    }
    ElementCursor elements = value.elements();
    for (int i = 0; i <= index; i++) {
      elements.next();
    }
    RawDocument single =
        new BsonBuilder(elements.valueLength() + 16).append(0, elements.value()).toDocument();
    out.append(name, RawValue.ofArray(single));
  }
}
