package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.Arrays;
import java.util.List;

/**
 * The documents from one key to another, in the order of an index that begins with the fields of
 * the key. Nothing outside of the range is read.
 */
public final class KeyRange {
  private final ShardKeyPattern key;
  private final RawDocument index;
  private final RawDocument min;
  private final RawDocument max;

  private KeyRange(ShardKeyPattern key, RawDocument index, RawDocument min, RawDocument max) {
    this.key = key;
    this.index = index;
    this.min = min;
    this.max = max;
  }

  /**
   * The range; null where no index has it. An index with one entry for each document is preferred.
   *
   * @param singleKey whether no other index will do
   * @param min inclusive
   * @param max exclusive, unless it is the greatest of all keys
   */
  public static KeyRange of(
      ShardKeyPattern key,
      List<IndexInfo> indexes,
      boolean singleKey,
      RawDocument min,
      RawDocument max) {
    IndexInfo chosen = null;
    for (IndexInfo index : indexes) {
      boolean fits = index.build() == null && key.isSupportedBy(index.spec());
      if (fits && (chosen == null || chosen.multikey())) {
        chosen = index;
      }
    }
    return chosen == null || (singleKey && chosen.multikey())
        ? null
        : new KeyRange(key, chosen.spec(), min, max);
  }

  /** Whether no key can be in it. */
  public boolean isEmpty() {
    return Arrays.compareUnsigned(key.encode(min), key.encode(max)) >= 0;
  }

  /** The part of the range from a key on. */
  public KeyRange from(RawDocument low) {
    return new KeyRange(key, index, low, max);
  }

  /**
   * A find of its documents, for a range that is not empty. An index of a shard key has the simple
   * collation, whatever the collection has.
   */
  public FindRequest.Builder documents() {
    var request =
        new FindRequest.Builder().hint(index.get("name")).collation(CollationChoice.exactly(null));
    if (!min.equals(key.globalMin())) {
      request.min(bound(min));
    }
    if (!max.equals(key.globalMax())) {
      request.max(bound(max));
    }
    return request;
  }

  /** The same, but what it finds are keys of the index; {@link #keyOf} makes keys of them. */
  public FindRequest.Builder keys() {
    return documents().returnKey(true);
  }

  /** The fields of the key, of what {@link #keys} has found. */
  public RawDocument keyOf(RawDocument indexKey) {
    var out = new BsonBuilder(indexKey.length());
    ElementCursor values = indexKey.elements();
    for (int i = 0; i < key.fields().size() && values.next(); i++) {
      out.append(key.fields().get(i).path().dotted(), values.value());
    }
    return out.toDocument();
  }

  /** A bound with all fields of the index, which lies before all of its keys that begin with it. */
  private RawDocument bound(RawDocument prefix) {
    var out = new BsonBuilder(prefix.length() + 32);
    ElementCursor given = prefix.elements();
    for (ElementCursor field = index.get("key").elements(); field.next(); ) {
      RawValue value =
          given.next()
              ? given.value()
              : isDescending(field.value()) ? RawValue.MAX_KEY : RawValue.MIN_KEY;
      out.append(field.name(), value);
    }
    return out.toDocument();
  }

  private static boolean isDescending(RawValue direction) {
    return direction.isNumber() && direction.toDouble() < 0;
  }
}
