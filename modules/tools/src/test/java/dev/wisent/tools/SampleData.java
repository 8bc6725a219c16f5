package dev.wisent.tools;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;

/** A database with one of each kind of collection. */
public final class SampleData {
  private SampleData() {}

  public static void fill(MongoClient client, String name) {
    MongoDatabase database = client.getDatabase(name);
    List<Document> orders = new ArrayList<>();
    IntStream.range(0, 3_000)
        .forEach(
            i ->
                orders.add(
                    new Document("_id", i).append("customer", i % 17).append("text", "x" + i)));
    database.getCollection("orders").insertMany(orders);
    for (String command :
        List.of(
            "{createIndexes: 'orders', indexes: [{key: {customer: 1, text: -1}, name: 'c_t',"
                + " unique: true}, {key: {text: 'text'}, name: 't'},"
                + " {key: {at: 1}, name: 'ttl', expireAfterSeconds: 1000, sparse: true}]}",
            "{create: 'capped', capped: true, size: 100000, max: 50}",
            "{create: 'checked', validator: {a: {$type: 'int'}}, validationAction: 'error'}",
            "{create: 'words', collation: {locale: 'de', strength: 1}}",
            "{createIndexes: 'words', indexes: [{key: {w: 1}, name: 'w_1'}]}",
            "{create: 'clustered', clusteredIndex: {key: {_id: 1}, unique: true, name: 'byId'}}",
            "{create: 'empty'}",
            "{create: 'latest', viewOn: 'orders', pipeline: [{$match: {_id: {$gt: 2990}}}]}",
            "{insert: 'capped', documents: [{_id: 3}, {_id: 1}, {_id: 2}]}",
            "{insert: 'checked', documents: [{_id: 1, a: 1}]}",
            "{insert: 'words', documents: [{_id: 1, w: 'Öl'}]}",
            "{insert: 'clustered', documents: [{_id: 1}, {_id: 'b'}]}",
            "{insert: 'a/b %c', documents: [{_id: 1}]}")) {
      database.runCommand(BsonDocument.parse(command));
    }
  }

  /** The hash of all documents of a node, by collection. */
  public static Document hash(MongoClient client, String name) {
    Document hashes =
        client
            .getDatabase(name)
            .runCommand(new Document("dbHash", 1))
            .get("collections", Document.class);
    // It has the names of databases in it; what views are is in the definitions.
    hashes.remove("system.views");
    return hashes;
  }

  /** Options, indexes and views. */
  public static List<String> definitions(MongoClient client, String name) {
    MongoDatabase database = client.getDatabase(name);
    List<String> all = new ArrayList<>();
    for (Document listed : database.listCollections()) {
      String collection = listed.getString("name");
      all.add(collection + " " + listed.getString("type") + " " + listed.get("options"));
      if (listed.getString("type").equals("collection")) {
        for (Document index : database.getCollection(collection).listIndexes()) {
          all.add(collection + " " + index);
        }
      }
    }
    all.sort(null);
    return all;
  }
}
