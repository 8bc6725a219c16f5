package dev.wisent.tools.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;

class ComparedCollectionTest {
  private static final int TOO_MANY = 100_001;

  private final ComparedCollection compared = new ComparedCollection();

  private static DocumentKey key(int id) {
    return DocumentKey.of(new BsonDocument("_id", new BsonInt32(id)));
  }

  private static List<DocumentKey> keys(int count) {
    return IntStream.range(0, count).mapToObj(ComparedCollectionTest::key).toList();
  }

  @Test
  void suspectsStayUntilTheyAreFoundEqual() {
    compared.done(compared.begin());
    compared.suspect(keys(3));
    assertThat(compared.isCompared()).isTrue();
    assertThat(compared.added()).isEqualTo(3);
    assertThat(compared.suspects()).hasSize(3);
    assertThat(compared.added()).isZero();
    compared.cleared(keys(2));
    assertThat(compared.suspects()).containsExactly(key(2));
  }

  @Test
  void aComparisonDuringAChangeOfDefinitionsDoesNotCount() {
    assertThat(compared.claim()).isTrue();
    assertThat(compared.claim()).isFalse();
    int begun = compared.begin();
    compared.changed();
    compared.done(begun);
    compared.unclaim();
    assertThat(compared.isCompared()).isFalse();
    assertThat(compared.claim()).isTrue();
    compared.done(compared.begin());
    compared.unclaim();
    assertThat(compared.isCompared()).isTrue();
    assertThat(compared.claim()).isFalse();
  }

  @Test
  void moreDifferencesThanAreHeldAreLeftToTheEnd() {
    int begun = compared.begin();
    compared.suspect(keys(TOO_MANY));
    compared.done(begun);
    assertThat(compared.isCompared()).isFalse();
    assertThat(compared.isAhead()).isTrue();
    assertThat(compared.size()).isLessThan(TOO_MANY);
  }

  @Test
  void afterTooManyChangesAllIsComparedOnceMore() {
    compared.done(compared.begin());
    compared.suspect(keys(TOO_MANY));
    assertThat(compared.isAhead()).isFalse();
    assertThat(compared.claim()).isTrue();
    int begun = compared.begin();
    assertThat(compared.size()).isZero();
    compared.suspect(keys(1));
    compared.done(begun);
    assertThat(compared.isCompared()).isTrue();
    assertThat(compared.suspects()).containsExactly(key(0));
  }
}
