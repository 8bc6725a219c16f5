package dev.wisent.pipeline;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;

/**
 * Puts one value after the other in the place of a field, however deep, by copying what is around
 * it. What comes out is valid until the next call.
 */
final class ElementSplice {
  private final FieldPath path;

  /** Where the lengths of the documents around the field are, from the start of the document. */
  private final int[] lengths;

  private RawDocument document;

  /** Where the field and its value are, from the start of the document. */
  private int elementAt;

  private int valueAt;
  private int valueLength;
  private byte[] kept = new byte[256];
  private byte[] out = new byte[256];

  ElementSplice(FieldPath path) {
    this.path = path;
    this.lengths = new int[path.length()];
  }

  /** The field's value in a document that stays valid meanwhile; null where there is none. */
  RawValue find(RawDocument in) {
    document = in;
    RawDocument inner = in;
    for (int part = 0; ; part++) {
      lengths[part] = inner.offset() - in.offset();
      ElementCursor field = inner.elements();
      do {
        if (!field.next()) {
          return null;
        }
      } while (!field.nameEquals(path.part(part)));
      if (part == path.length() - 1) {
        elementAt = field.elementOffset() - in.offset();
        valueAt = field.valueOffset() - in.offset();
        valueLength = field.valueLength();
        return field.value();
      }
      if (field.type() != ElementType.DOCUMENT) {
        return null;
      }
      inner = field.value().asDocument();
    }
  }

  /** Copies the document, which need no longer be valid, and gives the value that was found. */
  RawValue keep() {
    int length = document.length();
    if (kept.length < length) {
      kept = new byte[Math.max(length, kept.length * 2)];
    }
    System.arraycopy(document.bytes(), document.offset(), kept, 0, length);
    document = new RawDocument(kept, 0, length);
    return new RawValue(kept[elementAt], kept, valueAt, valueLength);
  }

  /** The document with a value in the place of the one that was found. */
  RawDocument replaced(RawValue value) {
    begin(valueAt, value.length() - valueLength);
    out[elementAt] = value.type();
    System.arraycopy(value.bytes(), value.offset(), out, valueAt, value.length());
    return end(valueAt + value.length(), value.length() - valueLength);
  }

  /** The document without the field that was found. */
  RawDocument removed() {
    int elementLength = valueAt + valueLength - elementAt;
    begin(elementAt, -elementLength);
    return end(elementAt, -elementLength);
  }

  private void begin(int bytesBefore, int growth) {
    if (out.length < document.length() + growth) {
      out = new byte[Math.max(document.length() + growth, out.length * 2)];
    }
    System.arraycopy(document.bytes(), document.offset(), out, 0, bytesBefore);
  }

  private RawDocument end(int position, int growth) {
    int rest = document.offset() + valueAt + valueLength;
    int length = document.length() + growth;
    System.arraycopy(document.bytes(), rest, out, position, length - position);
    for (int at : lengths) {
      LittleEndian.putInt32(out, at, LittleEndian.int32(out, at) + growth);
    }
    return new RawDocument(out, 0, length);
  }
}
