package dev.wisent.query.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IndexKeyExtractorTest {
  private static KeyPattern pattern(String... paths) {
    return new KeyPattern(
        List.of(paths).stream()
            .map(path -> new KeyPattern.Field(FieldPath.of(path), false))
            .toList());
  }

  /** The keys as arrays of values, in Extended JSON, sorted. */
  private static List<String> keys(IndexKeyExtractor extractor, KeyPattern pattern, String json) {
    var keys = new ArrayList<String>();
    boolean[] descending = pattern.descending();
    extractor.extract(
        RawDocument.parse(json),
        key -> {
          var builder = new BsonBuilder();
          RawValue[] values =
              IndexKeyV1.decode(
                  key.bytes(),
                  0,
                  key.length(),
                  key.typeBits(),
                  0,
                  key.typeBitsLength(),
                  descending);
          builder.startArray("k");
          for (int i = 0; i < values.length; i++) {
            builder.append(i, values[i]);
          }
          String text = builder.end().toDocument().toJson();
          keys.add(text.substring("{\"k\": ".length(), text.length() - 1));
        });
    keys.sort(null);
    return keys;
  }

  private static List<String> keys(KeyPattern pattern, String json) {
    return keys(new IndexKeyExtractor(pattern, false), pattern, json);
  }

  private static long[] arrayParts(KeyPattern pattern, String json) {
    var extractor = new IndexKeyExtractor(pattern, false);
    extractor.extract(RawDocument.parse(json), key -> {});
    long[] parts = new long[pattern.fields().size()];
    boolean any = false;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = extractor.arrayParts(i);
      any |= parts[i] != 0;
    }
    assertThat(any && !extractor.multikey()).isFalse();
    return parts;
  }

  @Test
  void plainFields() {
    assertThat(keys(pattern("a"), "{a: 5}")).containsExactly("[5]");
    assertThat(keys(pattern("a"), "{a: {b: 1}}")).containsExactly("[{\"b\": 1}]");
    assertThat(keys(pattern("a", "b"), "{b: 'x', a: 5}")).containsExactly("[5, \"x\"]");
    assertThat(keys(pattern("a.b.c"), "{a: {b: {c: 7}}}")).containsExactly("[7]");
  }

  @Test
  void missingFieldsAreNull() {
    assertThat(keys(pattern("a"), "{}")).containsExactly("[null]");
    assertThat(keys(pattern("a", "b"), "{b: 1}")).containsExactly("[null, 1]");
    assertThat(keys(pattern("a.b"), "{a: 1}")).containsExactly("[null]");
    assertThat(keys(pattern("a.b"), "{a: {c: 1}}")).containsExactly("[null]");
    assertThat(keys(pattern("a.b"), "{'a.b': 1}")).containsExactly("[null]");
  }

  @Test
  void arraysGiveOneKeyForEachElement() {
    assertThat(keys(pattern("a"), "{a: [1, 2, 3]}")).containsExactly("[1]", "[2]", "[3]");
    assertThat(keys(pattern("a", "b"), "{a: [1, 2], b: 9}")).containsExactly("[1, 9]", "[2, 9]");
    assertThat(keys(pattern("b", "a"), "{a: [1, 2], b: 9}")).containsExactly("[9, 1]", "[9, 2]");
  }

  @Test
  void equalElementsGiveOneKey() {
    assertThat(keys(pattern("a"), "{a: [1, 1.0, 1, 2]}")).containsExactly("[1]", "[2]");
  }

  @Test
  void emptyArraysAreUndefined() {
    assertThat(keys(pattern("a"), "{a: []}")).containsExactly("[{\"$undefined\": true}]");
    assertThat(keys(pattern("a", "b"), "{a: [], b: 1}"))
        .containsExactly("[{\"$undefined\": true}, 1]");
    assertThat(keys(pattern("a.b"), "{a: []}")).containsExactly("[null]");
    assertThat(keys(pattern("a.b"), "{a: {b: []}}")).containsExactly("[{\"$undefined\": true}]");
    assertThat(keys(pattern("a", "a.b"), "{a: []}"))
        .containsExactly("[{\"$undefined\": true}, null]");
  }

  @Test
  void nestedArraysAreNotExpanded() {
    assertThat(keys(pattern("a"), "{a: [[1, 2], 3, []]}"))
        .containsExactly("[3]", "[[1, 2]]", "[[]]");
  }

  @Test
  void pathsLeadThroughArraysOfDocuments() {
    assertThat(keys(pattern("a.b"), "{a: [{b: 1}, {b: 2}]}")).containsExactly("[1]", "[2]");
    assertThat(keys(pattern("a.b"), "{a: [{b: 1}, {c: 2}, 5]}")).containsExactly("[1]", "[null]");
    assertThat(keys(pattern("a.b"), "{a: [{b: [1, 2]}, {b: [3]}]}"))
        .containsExactly("[1]", "[2]", "[3]");
    assertThat(keys(pattern("a.b"), "{a: [{b: []}, [{b: 1}]]}"))
        .containsExactly("[null]", "[{\"$undefined\": true}]");
    assertThat(keys(pattern("a.b.c"), "{a: [{b: [{c: 1}, {c: 2}]}, {b: {c: 3}}]}"))
        .containsExactly("[1]", "[2]", "[3]");
  }

  @Test
  void fieldsThatShareAnArrayTakeValuesOfTheSameElement() {
    assertThat(keys(pattern("a.b", "a.c"), "{a: [{b: 1, c: 'x'}, {b: 2, c: 'y'}]}"))
        .containsExactly("[1, \"x\"]", "[2, \"y\"]");
    assertThat(keys(pattern("a", "a.b"), "{a: [{b: 1}, 2]}"))
        .containsExactly("[2, null]", "[{\"b\": 1}, 1]");
    assertThat(keys(pattern("a.b", "a.c", "d"), "{a: [{b: [1, 2], c: 3}], d: 4}"))
        .containsExactly("[1, 3, 4]", "[2, 3, 4]");
  }

  @Test
  void parallelArraysAreRefused() {
    assertParallel("{a: [1], b: [2]}", "cannot index parallel arrays [b] [a]", "a", "b");
    assertParallel("{a: [], b: []}", "cannot index parallel arrays [b] [a]", "a", "b");
    assertParallel("{x: {a: [1], b: [2]}}", "cannot index parallel arrays [b] [a]", "x.a", "x.b");
    assertParallel("{a: [{b: [1], c: [2]}]}", "cannot index parallel arrays [c] [b]", "a.b", "a.c");
  }

  private static void assertParallel(String json, String message, String... paths) {
    assertThatThrownBy(() -> keys(pattern(paths), json))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_INDEX_PARALLEL_ARRAYS))
        .hasMessage(message);
  }

  @Test
  void numericPartsPickElements() {
    assertThat(keys(pattern("a.0"), "{a: [7, 8]}")).containsExactly("[7]");
    assertThat(keys(pattern("a.1"), "{a: [7]}")).containsExactly("[null]");
    assertThat(keys(pattern("a.0.b"), "{a: [{b: 1}, {b: 2}]}")).containsExactly("[1]");
    assertThat(keys(pattern("a.0.b"), "{a: [{b: [1, 2]}]}")).containsExactly("[1]", "[2]");
    assertThat(keys(pattern("a.0"), "{a: [[1, 2]]}")).containsExactly("[[1, 2]]");
    assertThat(keys(pattern("a.b", "a.b.0"), "{a: {b: [1, 2]}}"))
        .containsExactly("[1, 1]", "[2, 1]");
  }

  @Test
  void numericPartsAreFieldNamesToo() {
    assertThat(keys(pattern("a.0"), "{a: {'0': 5}}")).containsExactly("[5]");
    assertThat(keys(pattern("a.3"), "{a: [{'3': 5}]}")).containsExactly("[5]");
    assertThatThrownBy(() -> keys(pattern("a.0"), "{a: [{'0': 5}]}"))
        .isInstanceOf(CommandException.class)
        .hasMessage(
            "Ambiguous field name found in array (do not use numeric field names in embedded"
                + " elements in an array), field: '0' for array: { 0: { 0: 5 } }");
  }

  @Test
  void sparseIndexesSkipDocumentsWithoutAnyField() {
    KeyPattern one = pattern("a.b");
    var sparse = new IndexKeyExtractor(one, true);
    assertThat(keys(sparse, one, "{}")).isEmpty();
    assertThat(keys(sparse, one, "{a: 1}")).isEmpty();
    assertThat(keys(sparse, one, "{a: {b: null}}")).containsExactly("[null]");
    assertThat(keys(sparse, one, "{a: []}")).isEmpty();
    assertThat(keys(sparse, one, "{a: [{}, {b: 1}]}")).containsExactly("[1]");
    KeyPattern two = pattern("a", "b");
    var sparseCompound = new IndexKeyExtractor(two, true);
    assertThat(keys(sparseCompound, two, "{c: 1}")).isEmpty();
    assertThat(keys(sparseCompound, two, "{b: 1}")).containsExactly("[null, 1]");
    assertThat(keys(sparseCompound, two, "{b: []}"))
        .containsExactly("[null, {\"$undefined\": true}]");
  }

  @Test
  void arrayPartsAreReported() {
    assertThat(arrayParts(pattern("a"), "{a: 1}")).containsExactly(0);
    assertThat(arrayParts(pattern("a"), "{a: [1]}")).containsExactly(1);
    assertThat(arrayParts(pattern("a"), "{a: []}")).containsExactly(1);
    assertThat(arrayParts(pattern("a", "b"), "{a: 1, b: [1, 2]}")).containsExactly(0, 1);
    assertThat(arrayParts(pattern("a.b", "a.c"), "{a: [{b: 1}, {b: 2}]}")).containsExactly(1, 1);
    assertThat(arrayParts(pattern("a.b.c"), "{a: [{b: []}, {b: 1}]}")).containsExactly(0b11);
    assertThat(arrayParts(pattern("a.b"), "{a: {b: [1]}}")).containsExactly(0b10);
    assertThat(arrayParts(pattern("a.b"), "{a: [{b: [1]}]}")).containsExactly(0b11);
    assertThat(arrayParts(pattern("a.0"), "{a: [1, 2]}")).containsExactly(0);
    assertThat(arrayParts(pattern("a.b", "a.b.0"), "{a: {b: [1, 2]}}")).containsExactly(0b10, 0);
  }

  @Test
  void reportsDoNotOutliveTheirDocument() {
    KeyPattern pattern = pattern("a");
    var extractor = new IndexKeyExtractor(pattern, false);
    assertThat(keys(extractor, pattern, "{a: [1, 2]}")).hasSize(2);
    assertThat(extractor.multikey()).isTrue();
    assertThat(keys(extractor, pattern, "{a: 1}")).hasSize(1);
    assertThat(extractor.multikey()).isFalse();
    assertThat(extractor.arrayParts(0)).isZero();
  }

  @Test
  void keysCarryIdentAndDirection() {
    KeyPattern pattern = KeyPattern.of(RawDocument.parse("{a: 1, 'b.c': -1}"));
    var expected = new IndexKeyV1.Encoder().appendIdent(258);
    expected.append(RawValue.ofInt32(5), false).append(RawValue.ofString("x"), true);
    var keys = new ArrayList<byte[]>();
    var extractor = new IndexKeyExtractor(pattern, false, 258);
    extractor.extract(RawDocument.parse("{b: {c: 'x'}, a: 5}"), key -> keys.add(key.toByteArray()));
    extractor.extract(
        RawDocument.parse("{b: {c: 'x'}, a: [5]}"), key -> keys.add(key.toByteArray()));
    assertThat(keys).containsExactly(expected.toByteArray(), expected.toByteArray());
  }

  @Test
  void randomDocumentsHaveTheKeysOfTheirValues() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    String[] paths = {"a", "a.b", "b.a", "a.b.a", "b"};
    for (int i = 0; i < 30_000; i++) {
      RawDocument document = randomDocument(random, 4);
      KeyPattern pattern = pattern(paths[random.nextInt(paths.length)]);
      boolean sparse = random.nextBoolean();
      var expected = new HashSet<ValueKey>();
      collect(document, pattern.fields().get(0).path(), 0, sparse, expected);
      Set<ValueKey> actual = extractedValues(new IndexKeyExtractor(pattern, sparse), document);
      assertThat(actual)
          .as("seed %s: %s of %s", seed, pattern.fields().get(0).path(), document)
          .isEqualTo(expected);
    }
  }

  private static Set<ValueKey> extractedValues(IndexKeyExtractor extractor, RawDocument document) {
    var values = new HashSet<ValueKey>();
    extractor.extract(
        document,
        key -> {
          RawValue[] decoded =
              IndexKeyV1.decode(
                  key.bytes(),
                  0,
                  key.length(),
                  key.typeBits(),
                  0,
                  key.typeBitsLength(),
                  new boolean[1]);
          assertThat(values.add(new ValueKey(decoded[0]))).as("each key once").isTrue();
        });
    return values;
  }

  /** The rule for one path without numeric parts, said directly. */
  private static void collect(
      RawDocument document, FieldPath path, int part, boolean sparse, Set<ValueKey> keys) {
    RawValue value = document.get(path.part(part));
    boolean last = part == path.length() - 1;
    if (value == null || (!last && !value.isDocument() && !value.isArray())) {
      addMissing(sparse, keys);
    } else if (value.isArray()) {
      collectElements(value, path, part, sparse, keys);
    } else if (last) {
      keys.add(new ValueKey(value));
    } else {
      collect(value.asDocument(), path, part + 1, sparse, keys);
    }
  }

  private static void collectElements(
      RawValue array, FieldPath path, int part, boolean sparse, Set<ValueKey> keys) {
    boolean last = part == path.length() - 1;
    if (array.asDocument().isEmpty()) {
      if (last) {
        keys.add(new ValueKey(RawValue.UNDEFINED));
      } else {
        addMissing(sparse, keys);
      }
      return;
    }
    var elements = array.elements();
    while (elements.next()) {
      RawValue element = elements.value();
      if (last) {
        keys.add(new ValueKey(element));
      } else if (element.isDocument()) {
        collect(element.asDocument(), path, part + 1, sparse, keys);
      } else {
        addMissing(sparse, keys);
      }
    }
  }

  private static void addMissing(boolean sparse, Set<ValueKey> keys) {
    if (!sparse) {
      keys.add(new ValueKey(RawValue.NULL));
    }
  }

  private static RawDocument randomDocument(SplittableRandom random, int depth) {
    var builder = new BsonBuilder();
    for (String name : new String[] {"a", "b"}) {
      if (random.nextInt(4) > 0) {
        builder.append(name, randomValue(random, depth - 1));
      }
    }
    return builder.toDocument();
  }

  private static RawValue randomValue(SplittableRandom random, int depth) {
    int kind = depth <= 0 ? 0 : random.nextInt(3);
    if (kind == 0) {
      return random.nextInt(5) == 0 ? RawValue.NULL : RawValue.ofInt32(random.nextInt(4));
    }
    if (kind == 1) {
      return RawValue.ofDocument(randomDocument(random, depth));
    }
    var builder = new BsonBuilder();
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      builder.append(i, randomValue(random, depth - 1));
    }
    return RawValue.ofArray(builder.toDocument());
  }
}
