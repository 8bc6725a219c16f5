package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.Collations.LOOSE;
import static dev.wisent.conformance.driver.Collations.SIMPLE;
import static dev.wisent.conformance.driver.Collations.STRICT;
import static dev.wisent.conformance.driver.Collations.filled;
import static dev.wisent.conformance.driver.Collations.ids;
import static dev.wisent.conformance.driver.Collations.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.IndexOptions;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What clients see of the collations of collections. */
@ExtendWith(DriverFixture.Extension.class)
class CollationOfCollectionTest {
  private static final String WHOLE_FR_CA =
      "{locale: 'fr_CA', caseLevel: false, caseFirst: 'off', strength: 3, numericOrdering: false,"
          + " alternate: 'non-ignorable', maxVariable: 'punct', normalization: false, backwards:"
          + " true, version: '57.1'}";

  @Test
  void theCollectionsIsInherited(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture, LOOSE);
    collection.createIndex(json("{str: 1}"));
    assertThat(ids(collection.find(json("{str: 'foo'}")))).containsExactlyInAnyOrder(1, 2);
    assertThat(collection.find(json("{str: 'foo'}")).collation(SIMPLE)).hasSize(1);
    assertThat(collection.aggregate(List.of(json("{$match: {str: 'Foo'}}")))).hasSize(2);
    assertThat(collection.distinct("str", String.class)).hasSize(2);
    assertThat(collection.countDocuments(json("{str: 'fOo'}"))).isEqualTo(2);
    collection.insertOne(Document.parse("{_id: 'Name'}"));
    assertThat(collection.find(json("{_id: 'nAME'}"))).hasSize(1);
    assertThat(collection.find(json("{_id: 'nAME'}")).collation(SIMPLE)).isEmpty();
    assertThat(collection.find(json("{_id: {$in: ['nAME', 1]}}"))).hasSize(2);
    MongoWriteException e =
        catchThrowableOfType(
            MongoWriteException.class, () -> collection.insertOne(new Document("_id", "NAME")));
    assertThat(e.getCode()).isEqualTo(11000);
    assertThat(
            collection.updateOne(json("{_id: 'NAME'}"), json("{$set: {a: 1}}")).getMatchedCount())
        .isOne();
    assertThat(collection.deleteOne(json("{_id: 'name'}")).getDeletedCount()).isOne();
  }

  @Test
  void listsShowTheWholeCollation(DriverFixture fixture) {
    var frCa = Collation.builder().locale("fr_CA").build();
    fixture.database().createCollection("c", new CreateCollectionOptions().collation(frCa));
    MongoCollection<Document> collection = fixture.collection("c");
    collection.createIndex(json("{a: 1}"));
    collection.createIndex(json("{b: 1}"), new IndexOptions().collation(SIMPLE));
    collection.createIndex(json("{a: 1}"), new IndexOptions().name("loose").collation(LOOSE));
    Document info = fixture.database().listCollections().first();
    Document whole = Document.parse(WHOLE_FR_CA);
    assertThat(info.get("options", Document.class).get("collation")).isEqualTo(whole);
    assertThat(info.get("idIndex", Document.class).get("collation")).isEqualTo(whole);
    var byName = new Document();
    collection.listIndexes().forEach(index -> byName.put(index.getString("name"), index));
    assertThat(byName.keySet()).containsExactly("_id_", "a_1", "b_1", "loose");
    assertThat(byName.get("_id_", Document.class).get("collation")).isEqualTo(whole);
    assertThat(byName.get("a_1", Document.class).get("collation")).isEqualTo(whole);
    assertThat(byName.get("b_1", Document.class).containsKey("collation")).isFalse();
    assertThat(byName.get("loose", Document.class).getEmbedded(List.of("collation", "strength"), 0))
        .isEqualTo(2);
  }

  @Test
  void validatorsCompareAsTheCollectionDoes(DriverFixture fixture) {
    fixture
        .database()
        .runCommand(
            Document.parse(
                "{create: 'c', collation: {locale: 'en_US', strength: 2},"
                    + " validator: {a: {$in: ['red', 'green']}}}"));
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertOne(Document.parse("{a: 'RED'}"));
    assertThat(
            catchThrowableOfType(
                    MongoWriteException.class,
                    () -> collection.insertOne(Document.parse("{a: 'blue'}")))
                .getCode())
        .isEqualTo(121);
  }

  @Test
  void aFindByIdNeedsTheCollectionsCollation(DriverFixture fixture) {
    fixture.database().createCollection("c", new CreateCollectionOptions().collation(STRICT));
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertMany(List.of(Document.parse("{_id: 'foo'}"), Document.parse("{_id: 'FOO'}")));
    assertThat(collection.find(json("{_id: 'foo'}"))).hasSize(1);
    assertThat(collection.find(json("{_id: 'foo'}")).collation(STRICT)).hasSize(1);
    assertThat(collection.find(json("{_id: 'foo'}")).collation(LOOSE)).hasSize(2);
    assertThat(collection.find(json("{_id: {$in: ['foo', 'x']}}")).collation(LOOSE)).hasSize(2);
    assertThat(stage(collection.find(json("{_id: 'foo'}")).explain())).isEqualTo("EXPRESS_IXSCAN");
    assertThat(stage(collection.find(json("{_id: 'foo'}")).collation(STRICT).explain()))
        .isEqualTo("EXPRESS_IXSCAN");
    assertThat(stage(collection.find(json("{_id: 'foo'}")).collation(LOOSE).explain()))
        .isEqualTo("COLLSCAN");
    assertThat(stage(collection.find(json("{_id: 1}")).collation(LOOSE).explain()))
        .isEqualTo("EXPRESS_IXSCAN");
    assertThat(
            collection
                .deleteMany(json("{_id: 'foo'}"), new DeleteOptions().collation(SIMPLE))
                .getDeletedCount())
        .isOne();
  }

  private static String stage(Document explained) {
    return Plans.winner(explained).getString("stage");
  }
}
