package dev.wisent.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.key.HashedValue;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShardKeyPatternTest {
  private static ShardKeyPattern pattern(String json) {
    return ShardKeyPattern.of(RawDocument.parse(json));
  }

  private static RawDocument doc(String json) {
    return RawDocument.parse(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | Shard key is empty",
        "{'': 1} | Field  is empty",
        "{'a.': 1} | Field a. contains empty parts",
        "{'.a': 1} | Field .a contains empty parts",
        "{'a..b': 1} | Field a..b contains empty parts",
        "{$a: 1} | Field $a contains parts that start with '$'",
        "{'a.$b': 1} | Field a.$b contains parts that start with '$'",
        "{a: -1} | Shard key { a: -1 } can contain at most one 'hashed' field, and/or multiple"
            + " numerical fields set to a value of 1. Failed to parse field a",
        "{a: 1, b: 'text'} | Shard key { a: 1, b: \"text\" } can contain at most one 'hashed'"
            + " field, and/or multiple numerical fields set to a value of 1. Failed to parse field"
            + " b",
        "{a: 'hashed', b: 'hashed'} | Shard key { a: \"hashed\", b: \"hashed\" } can contain at"
            + " most one 'hashed' field, and/or multiple numerical fields set to a value of 1."
            + " Failed to parse field b",
      },
      quoteCharacter = '`')
  void saysWhatIsWrongWithAPattern(String json, String message) {
    assertThatThrownBy(() -> pattern(json))
        .isInstanceOf(CommandException.class)
        .hasMessage(message)
        .satisfies(e -> assertThat(((CommandException) e).code()).isEqualTo(ErrorCode.BAD_VALUE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{_id: 1}",
        "{a: 1.0}",
        "{'a.b': 1, c: 1}",
        "{_id: 'hashed'}",
        "{a: 1, b: 'hashed', c: 1}",
        "{'a.$id': 1}",
        "{a: {$numberLong: '1'}}"
      })
  void acceptsWhatMongoDbAccepts(String json) {
    assertThat(pattern(json).pattern()).isEqualTo(doc(json));
  }

  @Test
  void keysHaveNullForMissingFieldsAndDottedNames() {
    ShardKeyPattern pattern = pattern("{'a.b': 1, c: 1}");
    assertThat(pattern.keyOf(doc("{a: {b: 5}, d: 1}"))).isEqualTo(doc("{'a.b': 5, c: null}"));
    assertThat(pattern.keyOf(doc("{a: 5, c: 'x'}"))).isEqualTo(doc("{'a.b': null, c: 'x'}"));
  }

  @Test
  void aHashedFieldHasItsHash() {
    ShardKeyPattern pattern = pattern("{a: 1, b: 'hashed'}");
    long hash = HashedValue.of(RawValue.ofInt32(7));
    assertThat(pattern.keyOf(doc("{a: 1, b: 7}")))
        .isEqualTo(doc("{a: 1, b: {$numberLong: '" + hash + "'}}"));
    assertThat(pattern.encodedKeyOf(doc("{a: 1, b: 7}")))
        .isEqualTo(pattern.encode(pattern.keyOf(doc("{a: 1, b: 7}"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{a: [1]}", "{a: []}", "{a: [{b: 1}]}", "{a: {b: [1]}}"})
  void refusesArraysOnThePath(String document) {
    for (String key : new String[] {"{'a.b': 1}", "{'a.b': 'hashed'}"}) {
      assertThatThrownBy(() -> pattern(key).keyOf(doc(document)))
          .isInstanceOf(CommandException.class)
          .hasMessage("Shard key cannot contain array values or array descendants.")
          .satisfies(
              e ->
                  assertThat(((CommandException) e).code())
                      .isEqualTo(ErrorCode.SHARD_KEY_NOT_FOUND));
    }
  }

  @Test
  void encodedKeysSortAsKeysDo() {
    ShardKeyPattern pattern = pattern("{a: 1, b: 1}");
    byte[][] ascending = {
      pattern.encode(doc("{}")),
      pattern.encode(pattern.globalMin()),
      pattern.encode(doc("{a: null, b: 'x'}")),
      pattern.encode(doc("{a: 1}")),
      pattern.encode(doc("{a: 1, b: {$minKey: 1}}")),
      pattern.encode(doc("{a: 1.0, b: 5}")),
      pattern.encode(doc("{a: 1, b: {$maxKey: 1}}")),
      pattern.encode(doc("{a: 2, b: {$minKey: 1}}")),
      pattern.encode(doc("{a: '', b: 1}")),
      pattern.encode(pattern.globalMax()),
    };
    for (int i = 1; i < ascending.length; i++) {
      assertThat(Arrays.compareUnsigned(ascending[i - 1], ascending[i]))
          .as("key %d", i)
          .isNegative();
    }
  }

  @Test
  void knowsWhichIndexesSupportIt() {
    ShardKeyPattern pattern = pattern("{a: 1, b: 'hashed'}");
    assertThat(pattern.isSupportedBy(doc("{key: {a: 1, b: 'hashed'}, name: 'x'}"))).isTrue();
    assertThat(pattern.isSupportedBy(doc("{key: {a: 1.0, b: 'hashed', c: -1}}"))).isTrue();
    assertThat(pattern.isSupportedBy(doc("{key: {a: 1}}"))).isFalse();
    assertThat(pattern.isSupportedBy(doc("{key: {a: -1, b: 'hashed'}}"))).isFalse();
    assertThat(pattern.isSupportedBy(doc("{key: {b: 'hashed', a: 1}}"))).isFalse();
    assertThat(pattern.isSupportedBy(doc("{key: {a: 1, b: 1}}"))).isFalse();
    assertThat(pattern.isSupportedBy(doc("{key: {a: 1, b: 'hashed'}, sparse: true}"))).isFalse();
    assertThat(
            pattern.isSupportedBy(
                doc("{key: {a: 1, b: 'hashed'}, partialFilterExpression: {c: 1}}")))
        .isFalse();
    assertThat(pattern.isSupportedBy(doc("{key: {a: 1, b: 'hashed'}, collation: {locale: 'de'}}")))
        .isFalse();
  }

  @Test
  void uniqueIndexesNeedTheShardKeyAsPrefix() {
    ShardKeyPattern pattern = pattern("{a: 1, b: 1}");
    assertThat(pattern.allowsUnique(doc("{_id: 1}"))).isTrue();
    assertThat(pattern.allowsUnique(doc("{a: 1, b: 1}"))).isTrue();
    assertThat(pattern.allowsUnique(doc("{a: 1, b: -1, c: 1}"))).isTrue();
    assertThat(pattern.allowsUnique(doc("{a: 1}"))).isFalse();
    assertThat(pattern.allowsUnique(doc("{b: 1, a: 1}"))).isFalse();
    assertThat(pattern.allowsUnique(doc("{a: 1, c: 1, b: 1}"))).isFalse();
  }

  @Test
  void normalizesKeysOfClients() {
    ShardKeyPattern pattern = pattern("{a: 1, 'b.c': 1}");
    assertThat(pattern.normalized(doc("{'b.c': 2, a: 1}"))).isEqualTo(doc("{a: 1, 'b.c': 2}"));
    assertThat(pattern.normalized(doc("{a: 1}"))).isNull();
    assertThat(pattern.normalized(doc("{a: 1, 'b.c': 2, d: 3}"))).isNull();
    assertThat(pattern.normalized(doc("{a: 1, 'b.c': [2]}"))).isNull();
    assertThat(pattern.normalized(doc("{a: 1, b: {c: 2}}"))).isNull();
  }

  @Test
  void readsTheKeyOfPlainEqualities() {
    ShardKeyPattern pattern = pattern("{a: 1, 'b.c': 1}");
    byte[] key = pattern.encode(doc("{a: 1, 'b.c': 'x'}"));
    assertThat(pattern.encodedKeyOfEquality(doc("{d: {$gt: 5}, 'b.c': 'x', a: 1.0}"), null))
        .isEqualTo(key);
    for (String filter :
        new String[] {
          "{a: 1}",
          "{a: {$gt: 1}, 'b.c': 'x'}",
          "{a: {$eq: 1}, 'b.c': 'x'}",
          "{a: [1], 'b.c': 'x'}",
          "{a: 1, b: {c: 'x'}}",
          "{a: 1, 'b.c': /x/}".replace("/x/", "{$regularExpression: {pattern: 'x', options: ''}}")
        }) {
      assertThat(pattern.encodedKeyOfEquality(doc(filter), null)).as(filter).isNull();
    }
  }

  @Test
  void aCollationLeavesOnlyWhatHasNoStrings() {
    ShardKeyPattern pattern = pattern("{a: 1}");
    Collation german = Collation.parse(doc("{locale: 'de'}"));
    assertThat(pattern.encodedKeyOfEquality(doc("{a: 1}"), german))
        .isEqualTo(pattern.encode(doc("{a: 1}")));
    assertThat(pattern.encodedKeyOfEquality(doc("{a: 'x'}"), german)).isNull();
    assertThat(pattern.encodedKeyOfEquality(doc("{a: {x: 'y'}}"), german)).isNull();
  }

  @Test
  void numbersWithSeveralHashesHaveNoSingleKey() {
    ShardKeyPattern pattern = pattern("{a: 'hashed'}");
    assertThat(pattern.encodedKeyOfEquality(doc("{a: 3}"), null))
        .isEqualTo(pattern.encodedKeyOf(doc("{a: 3}")));
    // As a double this is cut, as a decimal it is rounded, and both are equal to the operand.
    assertThat(pattern.encodedKeyOfEquality(doc("{a: 2.5}"), null))
        .isEqualTo(pattern.encodedKeyOf(doc("{a: 2.5}")));
    assertThat(pattern.encodedKeyOfEquality(doc("{a: 3.5}"), null)).isNull();
  }

  /** Bounds of a key that this one refines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{a: 5} | {a: 5, b: {$minKey: 1}, c: {$minKey: 1}}",
        "{a: 5, b: 3} | {a: 5, b: 3, c: {$minKey: 1}}",
        "{a: {$minKey: 1}} | {a: {$minKey: 1}, b: {$minKey: 1}, c: {$minKey: 1}}",
        "{a: {$maxKey: 1}} | {a: {$maxKey: 1}, b: {$maxKey: 1}, c: {$maxKey: 1}}",
        "{a: {$maxKey: 1}, b: 1} | {a: {$maxKey: 1}, b: 1, c: {$minKey: 1}}",
        "{a: 5, b: 3, c: 1} | {a: 5, b: 3, c: 1}",
      },
      quoteCharacter = '`')
  void completesBoundsOfAKeyWithFewerFields(String bound, String complete) {
    ShardKeyPattern key = pattern("{a: 1, b: 1, c: 1}");
    assertThat(key.completed(doc(bound))).isEqualTo(doc(complete));
    assertThat(key.completed(doc(complete))).isEqualTo(doc(complete));
  }
}
