package dev.wisent.query.aggregate.group;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawValue;
import dev.wisent.query.aggregate.accumulator.KeyTable;
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
  private final ObjectExpression parts;
  private final Collation collation;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private final BsonBuilder object = new BsonBuilder();

  private byte type;
  private byte[] bytes;
  private int offset;
  private int length;

  GroupKey(Expression id, Collation collation) {
    this.id = id;
    this.parts = id instanceof ObjectExpression document ? document : null;
    this.collation = collation;
  }

  /** Goes on to the document in the frame. A missing value is null. */
  void evaluate(Frame frame) {
    if (parts != null) {
      evaluateParts(frame);
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
  private void evaluateParts(Frame frame) {
    object.reset(0);
    int before = object.position();
    for (int i = 0; i < parts.fieldCount(); i++) {
      parts.value(i).append(parts.name(i), frame, object);
    }
    if (parts.fieldCount() == 1 && object.position() == before) {
      object.append(parts.name(0), RawValue.NULL);
    }
    object.end();
    set(ElementType.DOCUMENT, object.bytes(), 0, object.position());
  }

  /** Goes on to a value that lies somewhere. */
  void set(byte newType, byte[] newBytes, int newOffset, int newLength) {
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

  /** Goes on to a missing value, which is null. */
  void setMissing() {
    set(ElementType.NULL, NOTHING, 0, 0);
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
