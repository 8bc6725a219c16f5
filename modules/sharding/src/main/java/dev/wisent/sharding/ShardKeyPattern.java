package dev.wisent.sharding;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.key.HashedValue;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import java.util.List;

/**
 * The fields of a shard key, at most one of them hashed. Keys and bounds of chunks are documents
 * with the fields of the pattern, dotted names as they are; a hashed field has its hash in them.
 */
public final class ShardKeyPattern {
  private static final String ID = "_id";

  private final RawDocument pattern;
  private final List<KeyPattern.Field> fields;
  private final int hashedField;
  private final RawDocument globalMin;
  private final RawDocument globalMax;

  private ShardKeyPattern(RawDocument pattern) {
    KeyPattern parsed = KeyPattern.of(pattern);
    this.pattern = pattern;
    this.fields = parsed.fields();
    this.hashedField = parsed.fieldOf(KeyPattern.FieldKind.HASH);
    this.globalMin = filledWith(RawValue.MIN_KEY);
    this.globalMax = filledWith(RawValue.MAX_KEY);
  }

  /** Checks the pattern as {@code shardCollection} does. */
  public static ShardKeyPattern of(RawDocument pattern) {
    ShardKeyCheck.check(pattern);
    return new ShardKeyPattern(pattern.detached());
  }

  public RawDocument pattern() {
    return pattern;
  }

  /** The fields in order; their kind is a value or a hash. */
  public List<KeyPattern.Field> fields() {
    return fields;
  }

  public boolean isHashed() {
    return hashedField >= 0;
  }

  /** Whether the first field is the hashed one. */
  public boolean hasHashedPrefix() {
    return hashedField == 0;
  }

  /** The position of the hashed field, or -1. */
  public int hashedField() {
    return hashedField;
  }

  public boolean has(String field) {
    return pattern.get(field) != null;
  }

  /** The lower bound of the first chunk. */
  public RawDocument globalMin() {
    return globalMin;
  }

  /** The upper bound of the last chunk, which has this key too. */
  public RawDocument globalMax() {
    return globalMax;
  }

  private RawDocument filledWith(RawValue value) {
    var out = new BsonBuilder(64);
    fields.forEach(field -> out.append(field.path().dotted(), value));
    return out.toDocument();
  }

  /** The key of a document: a missing field is null, a hashed one its hash; fails for arrays. */
  public RawDocument keyOf(RawDocument document) {
    var out = new BsonBuilder(64);
    for (KeyPattern.Field field : fields) {
      out.append(field.path().dotted(), keyValue(document, field));
    }
    return out.toDocument();
  }

  /** The same, encoded. */
  public byte[] encodedKeyOf(RawDocument document) {
    var encoder = new IndexKeyV1.Encoder();
    for (KeyPattern.Field field : fields) {
      encoder.append(keyValue(document, field), false);
    }
    return encoder.toByteArray();
  }

  /** The same into an encoder; false where a field has an array, and there is no such key. */
  boolean encodeKeyOf(RawDocument document, IndexKeyV1.Encoder out) {
    for (KeyPattern.Field field : fields) {
      RawValue value = PlainValues.valueOrArray(document, field.path());
      if (value != null && value.isArray()) {
        return false;
      }
      out.append(keyValue(value, field), false);
    }
    return true;
  }

  /**
   * The same of the key of an index that has all fields, under their paths, a hashed one hashed.
   */
  void encodeIndexKey(RawDocument indexKey, IndexKeyV1.Encoder out) {
    for (KeyPattern.Field field : fields) {
      RawValue value = indexKey.get(field.path().dotted());
      out.append(value == null ? RawValue.NULL : value, false);
    }
  }

  private static RawValue keyValue(RawDocument document, KeyPattern.Field field) {
    RawValue value = PlainValues.valueOrArray(document, field.path());
    if (value != null && value.isArray()) {
      throw new CommandException(
          ErrorCode.SHARD_KEY_NOT_FOUND,
          "Shard key cannot contain array values or array descendants.");
    }
    return keyValue(value, field);
  }

  /**
   * @param value null where the document has none
   */
  private static RawValue keyValue(RawValue value, KeyPattern.Field field) {
    RawValue present = value == null ? RawValue.NULL : value;
    return field.kind() == KeyPattern.FieldKind.HASH
        ? RawValue.ofInt64(HashedValue.of(present))
        : present;
  }

  /**
   * The encoded key that all documents have which a filter matches, if the filter's own fields
   * plainly say so: each field of the key is compared with one value. Null where it takes more to
   * tell, or where there is no such key.
   *
   * @param collation of the request; null for the simple one
   */
  public byte[] encodedKeyOfEquality(RawDocument filter, Collation collation) {
    var encoder = new IndexKeyV1.Encoder();
    for (KeyPattern.Field field : fields) {
      RawValue value = filter.get(field.path().dotted());
      if (value == null || !isPlainOperand(value) || comparesOtherwise(value, collation)) {
        return null;
      }
      if (field.kind() == KeyPattern.FieldKind.HASH) {
        List<Long> hashes = HashedValue.ofEqual(value);
        if (hashes.size() != 1) {
          return null;
        }
        value = RawValue.ofInt64(hashes.getFirst());
      }
      encoder.append(value, false);
    }
    return encoder.toByteArray();
  }

  private static boolean comparesOtherwise(RawValue value, Collation collation) {
    return collation != null && Collation.affects(value.type());
  }

  /** Whether a value in a filter means equality. */
  private static boolean isPlainOperand(RawValue value) {
    return switch (value.type()) {
      case ElementType.ARRAY, ElementType.REGEX, ElementType.UNDEFINED -> false;
      case ElementType.DOCUMENT -> {
        ElementCursor elements = value.elements();
        yield !elements.next() || !elements.nameStartsWith('$');
      }
      default -> true;
    };
  }

  /**
   * The bytes of a key or of a bound of a chunk, which sort as keys do. Values are taken in their
   * order, whatever their names. A document with fewer fields gives a prefix, which sorts before
   * all keys that begin with it.
   */
  public byte[] encode(RawDocument key) {
    return encoded(key).toByteArray();
  }

  IndexKeyV1.Encoder encoded(RawDocument key) {
    var encoder = new IndexKeyV1.Encoder();
    ElementCursor values = key.elements();
    while (values.next()) {
      encoder.append(values.value(), false);
    }
    return encoder;
  }

  /** The key that {@link #encoded} has made bytes and type bits of. */
  RawDocument decode(byte[] bytes, int keyStart, int bitsStart, int bitsEnd) {
    RawValue[] values =
        IndexKeyV1.decode(
            bytes,
            keyStart,
            bitsStart - keyStart,
            bytes,
            bitsStart,
            bitsEnd - bitsStart,
            new boolean[fields.size()]);
    var out = new BsonBuilder(bitsEnd - keyStart + 32);
    for (int i = 0; i < values.length; i++) {
      out.append(fields.get(i).path().dotted(), values[i]);
    }
    return out.toDocument();
  }

  /**
   * A bound of a chunk that may be one of a key with fewer fields, which this one refines: the
   * others have their lowest value; beyond the last key they have the highest.
   */
  public RawDocument completed(RawDocument bound) {
    if (bound.fieldCount() >= fields.size()) {
      return bound;
    }
    boolean last = true;
    for (ElementCursor values = bound.elements(); values.next(); ) {
      last &= values.value().type() == ElementType.MAX_KEY;
    }
    var out = new BsonBuilder(bound.length() + 32).appendAll(bound);
    for (KeyPattern.Field field : fields) {
      if (bound.get(field.path().dotted()) == null) {
        out.append(field.path().dotted(), last ? RawValue.MAX_KEY : RawValue.MIN_KEY);
      }
    }
    return out.toDocument();
  }

  /** The same for both bounds of a chunk. */
  public ChunkRange completed(ChunkRange range) {
    return new ChunkRange(completed(range.min()), completed(range.max()));
  }

  /**
   * A key that a client gave, with its fields in the order of the pattern; null where fields are
   * missing, where there are others, or where one is an array.
   */
  public RawDocument normalized(RawDocument key) {
    if (key.fieldCount() != fields.size()) {
      return null;
    }
    var out = new BsonBuilder(key.length());
    for (KeyPattern.Field field : fields) {
      RawValue value = key.get(field.path().dotted());
      if (value == null || value.isArray()) {
        return null;
      }
      out.append(field.path().dotted(), value);
    }
    return out.toDocument();
  }

  /** Whether the keys of an index begin with the fields of this pattern, of the same kinds. */
  public boolean isPrefixOf(RawDocument indexKey) {
    ElementCursor own = pattern.elements();
    ElementCursor others = indexKey.elements();
    while (own.next()) {
      if (!others.next()
          || !own.name().equals(others.name())
          || !ValueOrder.equal(own.value(), others.value())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether an index can find the documents of a chunk: all documents are in it, in the order of
   * the shard key. Whether it has arrays is not for its definition to tell.
   *
   * @param index as {@code listIndexes} shows it
   */
  public boolean isSupportedBy(RawDocument index) {
    RawValue sparse = index.get("sparse");
    return isPrefixOf(index.get("key").asDocument())
        && (sparse == null || !sparse.isTruthy())
        && index.get("partialFilterExpression") == null
        && index.get("collation") == null;
  }

  /**
   * Whether a shard can keep an index unique for the whole collection: equal keys are always on one
   * shard. The index on {@code _id} is allowed although it cannot promise that.
   */
  public boolean allowsUnique(RawDocument indexKey) {
    ElementCursor others = indexKey.elements();
    boolean first = true;
    for (KeyPattern.Field field : fields) {
      if (!others.next()) {
        return false;
      }
      if (first && others.name().equals(ID)) {
        return true;
      }
      if (!others.name().equals(field.path().dotted())) {
        return false;
      }
      first = false;
    }
    return true;
  }

  /**
   * @throws CommandException if {@link #allowsUnique} says no
   */
  public void checkUnique(RawDocument indexKey) {
    if (!allowsUnique(indexKey)) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "cannot create unique index over %s with shard key pattern %s"
              .formatted(ValueText.of(indexKey), ValueText.of(pattern)));
    }
  }

  /** The error of a request after which no index would find the documents of a chunk. */
  public static CommandException lastIndexDropped() {
    return new CommandException(
        ErrorCode.CANNOT_DROP_SHARD_KEY_INDEX,
        "Cannot drop the only compatible index for this collection's shard key");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardKeyPattern that && pattern.equals(that.pattern);
  }

  @Override
  public int hashCode() {
    return pattern.hashCode();
  }

  @Override
  public String toString() {
    return pattern.toString();
  }
}
