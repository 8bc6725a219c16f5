package dev.wisent.bench.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentGeneratorTest {
  private static final JsonWriterSettings RELAXED =
      JsonWriterSettings.builder().outputMode(JsonMode.RELAXED).build();

  private final DocumentGenerator generator = new DocumentGenerator(42, 1000);

  @Test
  void theSameSeedGivesTheSameDocuments() {
    DocumentGenerator again = new DocumentGenerator(42, 1000);
    for (long i = 0; i < 1500; i++) {
      assertThat(again.document(i).bson()).isEqualTo(generator.document(i).bson());
      assertThat(again.document(i).json()).isEqualTo(generator.document(i).json());
    }
  }

  @Test
  void encodingADocumentTwiceGivesTheSame() {
    BenchDocument document = generator.document(5);
    assertThat(document.bson()).isEqualTo(document.bson());
  }

  @Test
  void anotherSeedOrNumberGivesAnotherText() {
    BsonDocument document = generator.document(7).bson();
    BsonDocument otherSeed = new DocumentGenerator(43, 1000).document(7).bson();
    BsonDocument otherNumber = generator.document(8).bson();
    assertThat(document.get("text")).isNotEqualTo(otherSeed.get("text"));
    assertThat(document.get("text")).isNotEqualTo(otherNumber.get("text"));
  }

  @Test
  void bsonAndJsonHoldTheSameFields() {
    for (long i = 0; i < 100; i++) {
      BenchDocument document = generator.document(i);
      BsonDocument expected = BsonDocument.parse(document.bson().toJson(RELAXED));
      assertThat(expected.remove("_id").asString().getValue()).isEqualTo(document.id());
      assertThat(BsonDocument.parse(document.json())).isEqualTo(expected);
    }
  }

  @Test
  void documentsHaveAboutSevenHundredBytes() {
    for (long i = 0; i < 1000; i++) {
      assertThat(generator.document(i).bson().getByteBuffer().remaining()).isBetween(650, 750);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 20, 97, 1000, 1024, 9999})
  void ranksAreAPermutation(long records) {
    DocumentGenerator sized = new DocumentGenerator(1, records);
    BitSet seen = new BitSet();
    for (long i = 0; i < records; i++) {
      BsonDocument document = sized.document(i).bson();
      long rank = document.getInt64(DocumentGenerator.RANK).getValue();
      seen.set(Math.toIntExact(rank));
      assertThat(document.getInt64(DocumentGenerator.AT).getValue())
          .isEqualTo(DocumentGenerator.atOfRank(rank));
      assertThat(document.getInt32(DocumentGenerator.GROUP).getValue())
          .isEqualTo((int) (rank / DocumentGenerator.GROUP_SIZE));
      assertThat(document.getInt32(DocumentGenerator.SHELF).getValue())
          .isEqualTo((int) (rank % DocumentGenerator.SHELVES));
    }
    assertThat(seen.cardinality()).isEqualTo((int) records);
    assertThat(seen.length()).isEqualTo((int) records);
  }

  @Test
  void idsRiseWithTheNumber() {
    assertThat(DocumentGenerator.id(9)).isLessThan(DocumentGenerator.id(10));
    assertThat(DocumentGenerator.id(99_999)).isLessThan(DocumentGenerator.id(100_000));
  }

  @Test
  void ycsbRecordsDependOnSeedAndKeyOnly() {
    BsonDocument document = new YcsbRecords(42).record("user17").bson();
    assertThat(new YcsbRecords(42).record("user17").bson()).isEqualTo(document);
    assertThat(new YcsbRecords(43).record("user17").bson()).isNotEqualTo(document);
    assertThat(new YcsbRecords(42).record("user18").bson().get("field0"))
        .isNotEqualTo(document.get("field0"));
    assertThat(document).hasSize(1 + YcsbRecords.FIELD_COUNT);
    assertThat(document.getString("field9").getValue()).hasSize(YcsbRecords.FIELD_CHARS);
  }

  @Test
  void jsonStringsAreEscaped() {
    String value = "a\"b\\c\nd";
    assertThat(BsonDocument.parse("{v: " + JsonSink.quote(value) + "}").getString("v").getValue())
        .isEqualTo(value);
  }
}
