package dev.wisent.sharding.advice;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.key.PlainValues;
import dev.wisent.query.path.FieldPath;
import dev.wisent.sharding.ShardKeyPattern;
import dev.wisent.sharding.advice.KeyRanges.EncodedKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What is known of a field that could be in a shard key.
 *
 * @param distinct how many values it has in the sample
 * @param correlation how its order follows the order of insertion, from -1 to 1
 * @param isTime whether its values are dates or ObjectIds
 * @param equality how many queries ask for one or a few of its values
 * @param range how many queries ask for a range
 */
record FieldProfile(
    String path, long distinct, double correlation, boolean isTime, long equality, long range) {
  private static final double FOLLOWS = 0.9;

  /** Null for a field that documents do not have, or whose values are arrays or documents. */
  static FieldProfile of(String path, List<RawDocument> documents, QueryUse use) {
    FieldPath field = FieldPath.of(path);
    ShardKeyPattern pattern =
        ShardKeyPattern.of(new BsonBuilder().appendInt32(path, 1).toDocument());
    var keys = new ArrayList<EncodedKey>(documents.size());
    boolean isTime = true;
    for (RawDocument document : documents) {
      RawValue value = PlainValues.valueOrArray(document, field);
      if (value == null || value.isArray() || value.isDocument()) {
        return null;
      }
      isTime &= value.type() == ElementType.DATE || value.type() == ElementType.OBJECT_ID;
      keys.add(EncodedKey.of(pattern, document));
    }
    Integer[] order = IntStream.range(0, keys.size()).boxed().toArray(Integer[]::new);
    Arrays.sort(order, (a, b) -> EncodedKey.ORDER.compare(keys.get(a), keys.get(b)));
    var distribution = new KeyDistribution(0);
    for (int i : order) {
      distribution.add(keys.get(i).bytes(), keys.get(i).key(), i);
    }
    return new FieldProfile(
        path,
        distribution.distinctValues(),
        distribution.insertionCorrelation(),
        isTime,
        use.equality(path),
        use.range(path));
  }

  boolean isAscending() {
    return correlation >= FOLLOWS;
  }
}
