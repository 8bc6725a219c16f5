package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FieldFinderTest {
  private static final List<String> NAMES =
      List.of("", "a", "b", "ab", "ä", "_id", "seven77", "eight888", "eight888x", "eight888y");

  @Test
  void comesOverTheFieldsInTheirOrderAndStopsAfterTheLast() {
    var finder = FieldFinder.of(List.of("c", "a", "missing"));
    finder.start(RawDocument.parse("{a: 1, b: 2, c: 'x', d: 4}"));
    assertThat(finder.next()).isEqualTo(1);
    assertThat(finder.isFound(1)).isTrue();
    assertThat(finder.isFound(0)).as("not there yet").isFalse();
    assertThat(finder.next()).isEqualTo(0);
    assertThat(finder.type(0)).isEqualTo(ElementType.STRING);
    assertThat(finder.next()).isEqualTo(-1);
    assertThat(finder.next()).isEqualTo(-1);
    assertThat(finder.value(1).asInt32()).isEqualTo(1);
    assertThat(finder.value(2)).isNull();
    assertThat(finder.type(2)).isZero();
  }

  @Test
  void forgetsTheDocumentBefore() {
    var finder = FieldFinder.of(List.of("a"));
    finder.find(RawDocument.parse("{a: 1}"));
    finder.find(RawDocument.parse("{b: 1}"));
    assertThat(finder.isFound(0)).isFalse();
    finder.find(RawDocument.EMPTY);
    assertThat(finder.isFound(0)).isFalse();
  }

  @Test
  void takesTheFirstOfTwoFieldsWithTheSameName() {
    var document =
        new BsonBuilder(64)
            .appendInt32("a", 1)
            .appendInt32("a", 2)
            .appendInt32("b", 3)
            .toDocument();
    var finder = FieldFinder.of(List.of("a", "b"));
    finder.find(document);
    assertThat(finder.value(0).asInt32()).isEqualTo(1);
    assertThat(finder.value(1).asInt32()).isEqualTo(3);
  }

  @Test
  void refusesANameTwice() {
    assertThatThrownBy(() -> FieldFinder.of(List.of("a", "a")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void agreesWithLookingForEachFieldAlone() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var values = new RandomValues(random);
    for (int i = 0; i < 20_000; i++) {
      var wanted = new ArrayList<>(NAMES);
      Collections.shuffle(wanted, new Random(random.nextLong()));
      wanted.subList(random.nextInt(wanted.size()) + 1, wanted.size()).clear();
      var builder = new BsonBuilder(16);
      for (int fields = random.nextInt(8); fields > 0; fields--) {
        builder.append(NAMES.get(random.nextInt(NAMES.size())), values.value());
      }
      RawDocument document = builder.toDocument();
      var finder = FieldFinder.of(wanted);
      finder.find(placed(document, random));
      for (int n = 0; n < wanted.size(); n++) {
        assertThat(finder.value(n))
            .as("seed %d: %s", seed, wanted.get(n))
            .isEqualTo(document.get(wanted.get(n)));
      }
    }
  }

  /** The document with bytes around it or none, because the end of the array is a special case. */
  private static RawDocument placed(RawDocument document, SplittableRandom random) {
    int before = random.nextInt(3);
    byte[] bytes = new byte[before + document.length() + random.nextInt(2) * 16];
    System.arraycopy(document.toByteArray(), 0, bytes, before, document.length());
    return new RawDocument(bytes, before, document.length());
  }
}
