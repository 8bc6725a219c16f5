package dev.wisent.conformance.driver;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CreateCollectionOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;

/** Collations, and the documents that tests compare by them. */
final class Collations {
  static final Collation LOOSE =
      Collation.builder().locale("en_US").collationStrength(CollationStrength.SECONDARY).build();
  static final Collation STRICT =
      Collation.builder().locale("en_US").collationStrength(CollationStrength.TERTIARY).build();
  static final Collation SIMPLE = Collation.builder().locale("simple").build();
  static final Collation NUMERIC = Collation.builder().locale("en").numericOrdering(true).build();

  private Collations() {}

  static Bson json(String json) {
    return BsonDocument.parse(json);
  }

  static MongoCollection<Document> filled(DriverFixture fixture, Collation ofCollection) {
    if (ofCollection != null) {
      fixture
          .database()
          .createCollection("c", new CreateCollectionOptions().collation(ofCollection));
    }
    MongoCollection<Document> collection = fixture.collection("c");
    collection.insertMany(
        List.of(
            Document.parse("{_id: 1, str: 'foo', tags: ['Red', 'blue']}"),
            Document.parse("{_id: 2, str: 'FOO', tags: ['green']}"),
            Document.parse("{_id: 3, str: 'bar', sub: {word: 'Deep'}}")));
    return collection;
  }

  static List<Integer> ids(Iterable<Document> documents) {
    var ids = new ArrayList<Integer>();
    documents.forEach(document -> ids.add(document.getInteger("_id")));
    return ids;
  }

  static List<Integer> list(String ids) {
    var list = new ArrayList<Integer>();
    if (ids != null) {
      for (String id : ids.split(",")) {
        list.add(Integer.valueOf(id.strip()));
      }
    }
    return list;
  }
}
