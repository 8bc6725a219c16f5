package dev.wisent.query.aggregate;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** The documents that {@code $unwind} makes. */
final class UnwindStream implements DocumentStream {
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
        RawDocument replaced = splice.replaced(elements.value());
        return stage.indexPath() == null ? replaced : numbered(replaced, RawValue.ofInt64(index++));
      }
      elements = null;
      RawDocument document = input.next();
      if (document == null) {
        return null;
      }
      RawDocument single = begin(document);
      if (single != null) {
        return numbered(single, RawValue.NULL);
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

  private RawDocument numbered(RawDocument document, RawValue number) {
    return stage.indexPath() == null
        ? document
        : NestedField.set(document, stage.indexPath(), number);
  }
}
