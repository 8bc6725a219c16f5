package dev.wisent.pipeline;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** The documents that {@code $unwind} makes. */
final class UnwindStream implements DocumentStream {
  private static final long NO_ELEMENT = -1;

  private final UnwindStage stage;
  private final DocumentStream input;
  private final ElementSplice splice;
  private ElementCursor elements;
  private long index;

  UnwindStream(UnwindStage stage, DocumentStream input) {
    this.stage = stage;
    this.input = input;
    this.splice = new ElementSplice(stage.path());
  }

  @Override
  public RawDocument next() {
    while (true) {
      if (elements != null && elements.next()) {
        return numbered(splice.replaced(elements.value()), index++);
      }
      elements = null;
      RawDocument document = input.next();
      if (document == null) {
        return null;
      }
      RawDocument single = begin(document);
      if (single != null) {
        return numbered(single, NO_ELEMENT);
      }
    }
  }

  /** What becomes of a document without elements; null where there are some, or it is left out. */
  private RawDocument begin(RawDocument document) {
    RawValue value = splice.find(document);
    if (value == null || value.isNullish()) {
      return stage.preserve() ? document : null;
    }
    if (!value.isArray()) {
      return document;
    }
    if (value.asDocument().isEmpty()) {
      return stage.preserve() ? splice.removed() : null;
    }
    // The elements may be wanted when the input has let go of the document.
    elements = splice.keep().elements();
    index = 0;
    return null;
  }

  private RawDocument numbered(RawDocument document, long number) {
    if (stage.indexPath() == null) {
      return document;
    }
    RawValue value = number == NO_ELEMENT ? RawValue.NULL : RawValue.ofInt64(number);
    return NestedField.set(document, stage.indexPath(), value);
  }
}
