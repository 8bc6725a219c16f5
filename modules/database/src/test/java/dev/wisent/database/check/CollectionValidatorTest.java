package dev.wisent.database.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.database.index.Index;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.RecordKeys;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage of every kind is found. */
class CollectionValidatorTest {
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    database.createIndex("{u: 1}", "unique");
    database.insert("{_id: 1, a: 1, u: 1}", "{_id: 2, a: [2, 3], u: 2}");
    assertThat(database.validate().isValid()).isTrue();
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private void damage(Consumer<MutationBuilder> changes) {
    var mutation = new MutationBuilder();
    changes.accept(mutation);
    database.log().submit(mutation.build()).awaitApplied();
  }

  private Index index(String name) {
    return database.collection().index(name);
  }

  private byte[] firstKey(String indexName) {
    int ident = index(indexName).ident();
    try (KeyValueCursor cursor =
        database
            .engine()
            .cursor(
                Keyspace.INDEX,
                RecordKeys.lowerBound(ident),
                RecordKeys.upperBound(ident),
                false)) {
      assertThat(cursor.next()).isTrue();
      return cursor.copyKey();
    }
  }

  private byte[] record(long recordId) {
    return RecordKeys.recordKey(database.collection().ident(), recordId);
  }

  private void assertDamaged(String indexName, String error) {
    ValidationReport report = database.validate();
    assertThat(report.isValid()).isFalse();
    if (indexName == null) {
      assertThat(report.errors()).anyMatch(text -> text.contains(error));
    } else {
      assertThat(report.indexErrors().get(indexName)).anyMatch(text -> text.contains(error));
    }
  }

  @Test
  void aSoundCollectionIsCounted() {
    ValidationReport report = database.validate();
    assertThat(report.records()).isEqualTo(2);
    assertThat(report.invalidDocuments()).isZero();
    assertThat(report.keysPerIndex())
        .containsEntry("_id_", 2L)
        .containsEntry("a_1", 3L)
        .containsEntry("u_1", 2L);
  }

  @Test
  void aMissingEntry() {
    damage(mutation -> mutation.delete(Keyspace.INDEX, firstKey("a_1")));
    assertDamaged("a_1", "record 1 has no entry");
  }

  @Test
  void anEntryTooMany() {
    byte[] key = IndexEntries.withRecordId(index("a_1").keyOf(TestDatabase.value("77")), 1);
    damage(mutation -> mutation.put(Keyspace.INDEX, key, new byte[0]));
    assertDamaged("a_1", "has 4 entries, but the documents make 3");
  }

  @Test
  void anEntryOfAnotherRecord() {
    damage(
        mutation ->
            mutation.put(
                Keyspace.INDEX, firstKey("u_1"), IndexEntries.uniqueValue(2, new byte[0])));
    assertDamaged("u_1", "entry of record 1 differs");
  }

  @Test
  void anArrayThatIsNotMarked() {
    damage(
        mutation ->
            mutation.delete(Keyspace.CATALOG, CatalogKeys.multikey(index("a_1").ident(), 0, 0)));
    assertDamaged("a_1", "not marked as multikey");
  }

  @Test
  void wrongCounters() {
    int ident = database.collection().ident();
    damage(mutation -> mutation.add(Keyspace.CATALOG, CatalogKeys.documents(ident), 1));
    assertDamaged(null, "count is 3, but there are 2 documents");
    damage(mutation -> mutation.add(Keyspace.CATALOG, CatalogKeys.bytes(ident), -1));
    assertDamaged(null, "size is ");
  }

  @Test
  void aDocumentThatIsNoBson() {
    damage(mutation -> mutation.put(Keyspace.RECORDS, record(1), new byte[] {9, 0, 0, 0, 5, 1}));
    assertDamaged(null, "document of record 1 is damaged");
    assertThat(database.validate().invalidDocuments()).isEqualTo(1);
  }

  @Test
  void aDocumentWithoutId() {
    damage(
        mutation ->
            mutation.put(
                Keyspace.RECORDS, record(1), RawDocument.parse("{a: 1, u: 1}").toByteArray()));
    assertDamaged(null, "document of record 1 has no _id");
  }

  @Test
  void aRecordThatIsGone() {
    damage(mutation -> mutation.delete(Keyspace.RECORDS, record(1)));
    assertDamaged("_id_", "has 2 entries, but the documents make 1");
  }
}
