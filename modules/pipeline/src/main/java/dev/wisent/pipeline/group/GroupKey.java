package dev.wisent.pipeline.group;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.KeyTable;
import dev.wisent.pipeline.accumulator.ValueStates;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.ObjectExpression;

/**
 * The key of one document after the other: the value of the {@code _id} expression, and its
 * encoding, which is the same for values that are equal. Belongs to one run.
 */
final class GroupKey {
  private static final byte[] NOTHING = {};

  private final Expression id;
  private final Collation collation;
  private final PlainFields fields;

  /** The field that is the key, or {@link PlainFields#EVALUATED}. */
  private final int field;

  /** A key that is put together from parts; null for others. */
  private final ObjectExpression parts;

  /** For each part the field that it is, or {@link PlainFields#EVALUATED}. */
  private final int[] partFields;

  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private final BsonBuilder object = new BsonBuilder();

  private byte type;
  private byte[] bytes;
  private int offset;
  private int length;

  /**
   * @param fields gets to know which fields the key is made of
   */
  GroupKey(Expression id, Collation collation, PlainFields fields) {
    this.id = id;
    this.collation = collation;
    this.fields = fields;
    this.field = fields.add(id);
    this.parts = id instanceof ObjectExpression document ? document : null;
    this.partFields = new int[parts == null ? 0 : parts.fieldCount()];
    for (int i = 0; i < partFields.length; i++) {
      partFields[i] = fields.add(parts.value(i));
    }
  }

  /** Goes on to the document in the frame, whose fields have been read. A missing value is null. */
  void read(Frame frame) {
    if (field != PlainFields.EVALUATED) {
      if (fields.type(field) == ValueStates.MISSING) {
        set(ElementType.NULL, NOTHING, 0, 0);
      } else {
        set(fields.type(field), fields.bytes(field), fields.offset(field), fields.length(field));
      }
    } else if (parts != null) {
      readParts(frame);
    } else {
      RawValue value = id.evaluate(frame);
      if (value == null) {
        set(ElementType.NULL, NOTHING, 0, 0);
      } else {
        set(value.type(), value.bytes(), value.offset(), value.length());
      }
    }
  }

  /** Fields that are missing are left out, except, as in MongoDB, an only one: that is null. */
  private void readParts(Frame frame) {
    object.reset(0);
    int before = object.position();
    for (int i = 0; i < partFields.length; i++) {
      if (partFields[i] == PlainFields.EVALUATED) {
        parts.value(i).append(parts.name(i), frame, object);
      } else if (fields.type(partFields[i]) != ValueStates.MISSING) {
        object.append(parts.name(i), fields.value(partFields[i]));
      }
    }
    if (partFields.length == 1 && object.position() == before) {
      object.append(parts.name(0), RawValue.NULL);
    }
    object.end();
    set(ElementType.DOCUMENT, object.bytes(), 0, object.position());
  }

  private void set(byte newType, byte[] newBytes, int newOffset, int newLength) {
    type = newType;
    bytes = newBytes;
    offset = newOffset;
    length = newLength;
    encoder.reset();
    if (collation != null && Collation.affects(newType)) {
      encoder.append(collation.key(new RawValue(newType, newBytes, newOffset, newLength)), false);
    } else {
      encoder.append(newType, newBytes, newOffset, false);
    }
  }

  /** Finds the group of the key; -1 - its number where it is new. */
  int find(KeyTable table) {
    int group = table.find(encoder.bytes(), encoder.length());
    if (group < 0) {
      table.put(encoder.bytes(), encoder.length(), type, bytes, offset, length);
    }
    return group;
  }
}
