package dev.wisent.tools;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertManyOptions;
import dev.wisent.tools.RandomDocuments.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;

/** Databases with collections of random options, indexes and documents, and what they have. */
final class RandomCollections {
  private static final List<String> NAMES =
      List.of(
          "plain",
          "with space",
          "a/b",
          "a\\b",
          "50%",
          "%41",
          "x.y",
          "x.y.z",
          "~",
          "wörter",
          "\ud83e\uddac",
          "a\nb",
          "-x",
          "--drop",
          "*",
          "\"q\"",
          "'",
          "x.bson",
          "x.metadata",
          "x.metadata.json",
          "x.gz",
          "x.bson.gz",
          "x.part",
          "oplog",
          "null",
          "CON",
          "l".repeat(120),
          "é".repeat(50),
          "%".repeat(80));
  private static final List<String> OPTIONS =
      List.of(
          "{}",
          "{}",
          "{}",
          "{capped: true, size: 10000000}",
          "{capped: true, size: 10000000, max: 40}",
          "{collation: {locale: 'de', strength: 1, caseLevel: true}}",
          "{collation: {locale: 'fr', backwards: true, numericOrdering: true}}",
          "{clusteredIndex: {key: {_id: 1}, unique: true}}",
          "{clusteredIndex: {key: {_id: 1}, unique: true, name: 'by % id'}, expireAfterSeconds:"
              + " {$numberLong: '3600'}}",
          "{validator: {$jsonSchema: {bsonType: 'object', properties: {'a.b': {bsonType: ['int',"
              + " 'null']}}}}, validationLevel: 'off'}",
          "{validator: {nothing: {$exists: true}}, validationAction: 'warn'}",
          "{changeStreamPreAndPostImages: {enabled: true}}");
  private static final List<String> INDEXES =
      List.of(
          "{key: {a: 1}, name: 'a_1'}",
          "{key: {a: -1, b: {$numberLong: '1'}}, name: 'mixed'}",
          "{key: {f0: 1.0, f1: -1}, name: 'f', sparse: true}",
          "{key: {'wörter.x': 1}, name: 'ö % \"'}",
          "{key: {b: 1}, name: 'partial', partialFilterExpression: {b: {$gt: {$numberLong: '5'},"
              + " $type: 'number'}}}",
          "{key: {'never at': 1}, name: 'ttl', expireAfterSeconds: 3600}",
          "{key: {f2: 'hashed'}, name: 'hashed'}",
          "{key: {'$**': 1}, name: 'all', wildcardProjection: {a: 0, b: 0}}",
          "{key: {'x$.$**': 1}, name: 'below'}",
          "{key: {a: 'text', b: 'text'}, name: 'text', weights: {a: 7, b: 2}, default_language:"
              + " 'german', language_override: 'none'}",
          "{key: {never: '2dsphere'}, name: 'geo'}",
          "{key: {never: '2d'}, name: 'flat', bits: 20, min: -10.5, max: 10}",
          "{key: {c: 1}, name: 'hidden', hidden: true}",
          "{key: {b: 1, c: 1}, name: 'collated', collation: {locale: 'sv', strength: 2}}",
          "{key: {'u': 1}, name: 'unique', unique: true, sparse: true}");

  private final Random random;
  private final int documents;

  RandomCollections(Random random, int documents) {
    this.random = random;
    this.documents = documents;
  }

  /** Makes some collections and views. Returns how many. */
  int fill(MongoDatabase database, int collections) {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < collections; i++) {
      String name = NAMES.get(random.nextInt(NAMES.size()));
      if (made.contains(name)) {
        continue;
      }
      BsonDocument create = new BsonDocument("create", new BsonString(name));
      create.putAll(BsonDocument.parse(OPTIONS.get(random.nextInt(OPTIONS.size()))));
      database.runCommand(create);
      made.add(name);
      index(database, name);
      insert(database, name);
    }
    String on = made.get(random.nextInt(made.size()));
    database.runCommand(
        new BsonDocument("create", new BsonString("view of %"))
            .append("viewOn", new BsonString(on))
            .append(
                "pipeline",
                BsonArray.parse("[{$match: {'a.b': {$ne: {$numberLong: '3'}}}}, {$limit: 5}]")));
    return made.size() + 1;
  }

  private void index(MongoDatabase database, String name) {
    for (int i = random.nextInt(4); i > 0; i--) {
      var index = BsonDocument.parse(INDEXES.get(random.nextInt(INDEXES.size())));
      try {
        database.runCommand(
            new BsonDocument("createIndexes", new BsonString(name))
                .append("indexes", new BsonArray(List.of(index))));
      } catch (MongoCommandException e) {
        // It does not go with the options, or with the other indexes.
      }
    }
  }

  private void insert(MongoDatabase database, String name) {
    var generator = new RandomDocuments(random, 1 + random.nextInt(6), Names.ALL);
    List<RawBsonDocument> batch = new ArrayList<>();
    for (int i = random.nextInt(documents); i > 0; i--) {
      batch.add(random.nextInt(50) == 0 ? generator.nested(90) : generator.next());
    }
    if (batch.isEmpty()) {
      return;
    }
    try {
      database
          .getCollection(name, RawBsonDocument.class)
          .insertMany(batch, new InsertManyOptions().ordered(false));
    } catch (MongoBulkWriteException e) {
      // Indexes refuse some of these documents: the others are there.
    }
  }

  /** All documents as bytes, in their order. */
  static Map<String, List<ByteBuffer>> content(MongoDatabase database) {
    var all = new TreeMap<String, List<ByteBuffer>>();
    for (BsonDocument listed : database.listCollections(BsonDocument.class)) {
      String name = listed.getString("name").getValue();
      if (listed.getString("type").getValue().equals("collection") && !name.startsWith("system.")) {
        all.put(name, content(database, name));
      }
    }
    return all;
  }

  static List<ByteBuffer> content(MongoDatabase database, String collection) {
    List<ByteBuffer> documents = new ArrayList<>();
    for (RawBsonDocument document :
        database.getCollection(collection, RawBsonDocument.class).find()) {
      documents.add(bytes(document));
    }
    return documents;
  }

  static ByteBuffer bytes(RawBsonDocument document) {
    ByteBuf bytes = document.getByteBuffer();
    return ByteBuffer.wrap(bytes.array(), bytes.position(), bytes.remaining()).slice();
  }

  /** Options, indexes and views, as JSON in which types are seen. */
  static List<String> definitions(MongoClient client, String database) {
    List<String> all = new ArrayList<>();
    MongoDatabase of = client.getDatabase(database);
    for (BsonDocument listed : of.listCollections(BsonDocument.class)) {
      String name = listed.getString("name").getValue();
      all.add(name + " " + listed.get("type") + " " + json(listed.getDocument("options")));
      if (listed.getString("type").getValue().equals("collection")) {
        for (BsonDocument index : of.getCollection(name).listIndexes(BsonDocument.class)) {
          all.add(name + " " + json(index));
        }
      }
    }
    all.sort(null);
    return all;
  }

  private static String json(BsonDocument document) {
    return document.toJson(
        org.bson.json.JsonWriterSettings.builder()
            .outputMode(org.bson.json.JsonMode.EXTENDED)
            .build());
  }
}
