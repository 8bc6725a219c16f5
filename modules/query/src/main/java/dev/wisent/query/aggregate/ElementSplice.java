package dev.wisent.query.aggregate;

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
  private ElementCursor field;
  private byte[] out = new byte[1024];

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
      field = inner.elements();
      do {
        if (!field.next()) {
          return null;
        }
      } while (!field.nameEquals(path.part(part)));
      if (part == path.length() - 1) {
        return field.value();
      }
      if (field.type() != ElementType.DOCUMENT) {
        return null;
      }
      inner = field.value().asDocument();
    }
  }

  /** The document with a value in the place of the one that was found. */
  RawDocument replaced(RawValue value) {
    int name = field.valueOffset() - document.offset();
    begin(name, value.length() - field.valueLength());
    out[field.elementOffset() - document.offset()] = value.type();
    System.arraycopy(value.bytes(), value.offset(), out, name, value.length());
    return end(name + value.length(), value.length() - field.valueLength());
  }

  /** The document without the field that was found. */
  RawDocument removed() {
    int at = field.elementOffset() - document.offset();
    begin(at, -field.elementLength());
    return end(at, -field.elementLength());
  }

  private void begin(int bytesBefore, int growth) {
    if (out.length < document.length() + growth) {
      out = new byte[Math.max(document.length() + growth, out.length * 2)];
    }
    System.arraycopy(document.bytes(), document.offset(), out, 0, bytesBefore);
  }

  private RawDocument end(int position, int growth) {
    int rest = field.valueOffset() + field.valueLength();
    int length = document.length() + growth;
    System.arraycopy(document.bytes(), rest, out, position, length - position);
    for (int at : lengths) {
      LittleEndian.putInt32(out, at, LittleEndian.int32(out, at) + growth);
    }
    return new RawDocument(out, 0, length);
  }
}
