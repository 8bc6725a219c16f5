package dev.wisent.query.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Expected keys are those of MongoDB's own tests of {@code $_internalIndexKey}. */
class WildcardKeyExtractorTest {
  private static final int IDENT_BYTES = 4;

  private KeyExtractor extractor;

  private static KeyPattern pattern(String key) {
    return KeyPattern.of(RawDocument.parse(key));
  }

  private static WildcardPaths paths(String key, String projection) {
    KeyPattern pattern = pattern(key);
    return WildcardPaths.of(
        pattern.fields().get(pattern.fieldOf(KeyPattern.FieldKind.WILDCARD)).path(),
        projection == null ? null : RawDocument.parse(projection));
  }

  /** The keys of a document as texts like {@code "a.b", 1}. */
  private List<String> keys(String key, String projection, String document) {
    KeyPattern pattern = pattern(key);
    extractor = KeyExtractor.of(pattern, false, paths(key, projection), 1);
    var keys = new ArrayList<String>();
    extractor.extract(
        RawDocument.parse(document),
        encoded -> {
          byte[] bits = encoded.typeBitsToByteArray();
          RawValue[] values =
              IndexKeyV1.decode(
                  encoded.toByteArray(),
                  IDENT_BYTES,
                  encoded.length() - IDENT_BYTES,
                  bits,
                  0,
                  bits.length,
                  pattern.descending());
          keys.add(Stream.of(values).map(ValueText::of).collect(Collectors.joining(", ")));
        });
    return keys;
  }

  private List<String> keys(String document) {
    return keys("{'$**': 1}", null, document);
  }

  @Test
  void everyPathHasAKeyExceptTheIdentifier() {
    assertThat(keys("{_id: 1, a: 1, b: {c: 'x', d: null}}"))
        .containsExactly("\"a\", 1", "\"b.c\", \"x\"", "\"b.d\", null");
    assertThat(extractor.multikey()).isFalse();
  }

  @Test
  void arraysGiveTheirElementsUnderTheirOwnPath() {
    assertThat(keys("{a: [1, 2, 1, {b: 3}, [4, 5]], c: {d: [{e: 6}, {e: [7]}]}}"))
        .containsExactly(
            "\"a\", 1",
            "\"a\", 2",
            "\"a.b\", 3",
            "\"a\", [ 4, 5 ]",
            "\"c.d.e\", 6",
            "\"c.d.e\", 7");
    assertThat(extractor.multikey()).isTrue();
    assertThat(extractor.arrayPaths())
        .containsExactlyInAnyOrder(FieldPath.of("a"), FieldPath.of("c.d"), FieldPath.of("c.d.e"));
  }

  @Test
  void emptyDocumentsAreValuesAndEmptyArraysUndefined() {
    assertThat(keys("{a: {}, b: [], c: [{}, []]}"))
        .containsExactly("\"a\", {}", "\"b\", undefined", "\"c\", {}", "\"c\", []");
  }

  @Test
  void namesWithDotsAreLeftOut() {
    assertThat(keys("{'a.b': 1, c: {'d.e': 1, f: 2}, '': {'': 3}}"))
        .containsExactly("\"c.f\", 2", "\".\", 3");
  }

  @Test
  void aSubtree() {
    assertThat(keys("{'a.b.$**': 1}", null, "{a: {b: {c: 1}, d: 2}, e: 3}"))
        .containsExactly("\"a.b.c\", 1");
    assertThat(keys("{'a.$**': 1}", null, "{a: 5, b: 6}")).containsExactly("\"a\", 5");
    assertThat(keys("{'a.$**': 1}", null, "{b: 6}")).isEmpty();
  }

  @Test
  void aProjection() {
    String document = "{_id: 9, a: {b: 1, c: 2}, d: 3}";
    assertThat(keys("{'$**': 1}", "{a: 1}", document)).containsExactly("\"a.b\", 1", "\"a.c\", 2");
    assertThat(keys("{'$**': 1}", "{'a.b': 1, _id: 1}", document))
        .containsExactly("\"_id\", 9", "\"a.b\", 1");
    assertThat(keys("{'$**': 1}", "{a: 0}", document)).containsExactly("\"d\", 3");
    assertThat(keys("{'$**': 1}", "{a: {c: 0}, _id: 1}", document))
        .containsExactly("\"_id\", 9", "\"a.b\", 1", "\"d\", 3");
  }

  @Test
  void compound() {
    assertThat(keys("{a: 1, 'b.$**': -1, c: 1}", null, "{a: 1, b: {x: 2, y: 3}}"))
        .containsExactly("1, \"b.x\", 2, null", "1, \"b.y\", 3, null");
    assertThat(keys("{a: 1, 'b.$**': 1, c: 1}", null, "{c: 7}"))
        .containsExactly("null, MinKey, MinKey, 7");
    assertThat(keys("{a: 1, 'b.$**': 1, c: 1}", null, "{d: 7}")).isEmpty();
    assertThatThrownBy(() -> keys("{a: 1, 'b.$**': 1}", null, "{a: [1]}"))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.COMPOUND_WILDCARD_ON_ARRAY));
  }

  @Test
  void coveredPaths() {
    WildcardPaths all = paths("{'$**': 1}", null);
    assertThat(all.covers(FieldPath.of("a.b"))).isTrue();
    assertThat(all.covers(FieldPath.of("0"))).isTrue();
    assertThat(all.covers(FieldPath.of("_id"))).isFalse();
    assertThat(all.covers(FieldPath.of("_id.x"))).isFalse();
    assertThat(all.covers(FieldPath.of("_idx"))).isTrue();
    assertThat(all.covers(FieldPath.of("a.0.b"))).isFalse();
    WildcardPaths below = paths("{'a.b.$**': 1}", null);
    assertThat(below.covers(FieldPath.of("a.b"))).isTrue();
    assertThat(below.covers(FieldPath.of("a.b.c"))).isTrue();
    assertThat(below.covers(FieldPath.of("a"))).isFalse();
    assertThat(below.covers(FieldPath.of("a.bc"))).isFalse();
    WildcardPaths without = paths("{'$**': 1}", "{a: {b: 0}, _id: 1}");
    assertThat(without.covers(FieldPath.of("a.b.c"))).isFalse();
    assertThat(without.covers(FieldPath.of("a.c"))).isTrue();
    assertThat(without.covers(FieldPath.of("_id"))).isTrue();
  }
}
