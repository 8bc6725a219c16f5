package dev.wisent.conformance.sharding.books;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** What {@code config} says about the chunks of a collection, in the order of their keys. */
record Chunks(TestCluster cluster, String namespace) {
  List<Document> all() {
    MongoDatabase config = cluster.client().getDatabase("config");
    Document collection = config.getCollection("collections").find(Filters.eq(namespace)).first();
    return config
        .getCollection("chunks")
        .find(Filters.eq("uuid", collection.get("uuid")))
        .sort(Sorts.ascending("min"))
        .into(new ArrayList<>());
  }

  int count() {
    return all().size();
  }

  /** Where chunks begin, by one field of the key. */
  List<Object> mins(String field) {
    return all().stream().map(chunk -> chunk.get("min", Document.class).get(field)).toList();
  }

  void shard(Document key) {
    cluster.admin(new Document("shardCollection", namespace).append("key", key));
  }

  /** {@code sh.splitAt}. */
  void splitAt(Document key) {
    cluster.admin(new Document("split", namespace).append("middle", key));
  }

  /** {@code sh.splitFind}. */
  void splitFind(Document document) {
    cluster.admin(new Document("split", namespace).append("find", document));
  }

  /** How many documents of the collection a shard has. */
  long countOn(int shard) {
    int dot = namespace.indexOf('.');
    MongoClient direct = cluster.shard(shard);
    return direct
        .getDatabase(namespace.substring(0, dot))
        .getCollection(namespace.substring(dot + 1))
        .countDocuments();
  }

  /** Changes a document of {@code config.settings}, as mongosh does. */
  static void set(TestCluster cluster, String setting, String field, Object value) {
    cluster
        .client()
        .getDatabase("config")
        .getCollection("settings")
        .updateOne(
            Filters.eq(setting), Updates.set(field, value), new UpdateOptions().upsert(true));
  }
}
