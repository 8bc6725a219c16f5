package dev.wisent.bson;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** A document, or an array, as a slice of a byte array. */
public final class RawDocument {
  private static final byte[] EMPTY_BYTES = {5, 0, 0, 0, 0};

  public static final RawDocument EMPTY = new RawDocument(EMPTY_BYTES, 0, 5);

  private final byte[] bytes;
  private final int offset;
  private final int length;

  public RawDocument(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
  }

  /** A whole array of bytes that is one document. */
  public static RawDocument of(byte[] bytes) {
    return new RawDocument(bytes, 0, bytes.length);
  }

  /** The document whose length field stands at {@code offset}. */
  public static RawDocument at(byte[] bytes, int offset) {
    return new RawDocument(bytes, offset, LittleEndian.int32(bytes, offset));
  }

  public static RawDocument of(BsonDocument document) {
    var buffer = new BasicOutputBuffer();
    try (var writer = new BsonBinaryWriter(buffer)) {
      new BsonDocumentCodec().encode(writer, document, EncoderContext.builder().build());
    }
    return of(buffer.toByteArray());
  }

  /** Parses Extended JSON. For tests, tools and cold paths. */
  public static RawDocument parse(String json) {
    return of(BsonDocument.parse(json));
  }

  public byte[] bytes() {
    return bytes;
  }

  public int offset() {
    return offset;
  }

  /** Bytes that the document takes. */
  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 5;
  }

  public ElementCursor elements() {
    return new ElementCursor(bytes, offset);
  }

  /** The value of a top-level field, or null where there is none. The name is not a path. */
  public RawValue get(byte[] utf8Name) {
    // As ElementCursor does, without one: this is what most of the time with documents goes into.
    byte[] b = bytes;
    int at = offset + 4;
    while (b[at] != 0) {
      byte type = b[at];
      int name = at + 1;
      int nameEnd = CString.end(b, name);
      int length = RawValue.lengthAt(type, b, nameEnd + 1);
      if (nameEnd - name == utf8Name.length && isAt(b, name, utf8Name)) {
        return new RawValue(type, b, nameEnd + 1, length);
      }
      at = nameEnd + 1 + length;
    }
    return null;
  }

  private static boolean isAt(byte[] b, int at, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      if (b[at + i] != name[i]) {
        return false;
      }
    }
    return true;
  }

  public RawValue get(String name) {
    return get(name.getBytes(StandardCharsets.UTF_8));
  }

  public int fieldCount() {
    int count = 0;
    var cursor = elements();
    while (cursor.next()) {
      count++;
    }
    return count;
  }

  /** The document without the top-level fields of these names; the same if it has none of them. */
  public RawDocument without(Set<String> names) {
    var rest = new BsonBuilder(length);
    boolean found = false;
    ElementCursor fields = elements();
    while (fields.next()) {
      if (names.contains(fields.name())) {
        found = true;
      } else {
        rest.appendElement(fields);
      }
    }
    return found ? rest.toDocument() : this;
  }

  /**
   * This document without its first field of a name; the same if there is none. All other bytes are
   * copied as they are.
   */
  public RawDocument without(byte[] utf8Name) {
    ElementCursor fields = elements();
    while (fields.next()) {
      if (fields.nameEquals(utf8Name)) {
        int start = fields.elementOffset();
        int end = start + fields.elementLength();
        byte[] rest = new byte[length - fields.elementLength()];
        System.arraycopy(bytes, offset, rest, 0, start - offset);
        System.arraycopy(bytes, end, rest, start - offset, offset + length - end);
        LittleEndian.putInt32(rest, 0, rest.length);
        return of(rest);
      }
    }
    return this;
  }

  public byte[] toByteArray() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  /** A document over its own array, so that a large network buffer is not kept alive. */
  public RawDocument detached() {
    return offset == 0 && length == bytes.length ? this : of(toByteArray());
  }

  public BsonDocument toBsonDocument() {
    try (var reader = new BsonBinaryReader(ByteBuffer.wrap(bytes, offset, length).slice())) {
      return new BsonDocumentCodec().decode(reader, DecoderContext.builder().build());
    }
  }

  public String toJson() {
    return toBsonDocument().toJson();
  }

  /** Same bytes. */
  @Override
  public boolean equals(Object other) {
    return other instanceof RawDocument that
        && Arrays.equals(
            bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }

  @Override
  public String toString() {
    return toJson();
  }
}
