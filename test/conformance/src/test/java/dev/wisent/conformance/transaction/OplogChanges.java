package dev.wisent.conformance.transaction;

import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import dev.wisent.conformance.transaction.StreamHistory.Change;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;

/** The changes of documents that an oplog holds, those of transactions among them. */
final class OplogChanges {

  private OplogChanges() {}

  /** All changes in a database since a time, in their order. */
  static List<Change> read(MongoClient member, String database, BsonTimestamp since) {
    List<Change> changes = new ArrayList<>();
    for (BsonDocument entry :
        member
            .getDatabase("local")
            .getCollection("oplog.rs", BsonDocument.class)
            .find(Filters.gte("ts", since))) {
      BsonTimestamp time = entry.getTimestamp("ts");
      if (entry.getString("op").getValue().equals("c")
          && entry.getDocument("o").containsKey("applyOps")) {
        entry
            .getDocument("o")
            .getArray("applyOps")
            .forEach(operation -> add(time, operation.asDocument(), database, changes));
      } else {
        add(time, entry, database, changes);
      }
    }
    return changes;
  }

  private static void add(
      BsonTimestamp time, BsonDocument entry, String database, List<Change> changes) {
    String namespace = entry.getString("ns").getValue();
    if (!namespace.startsWith(database + ".")) {
      return;
    }
    BsonDocument change = entry.getDocument("o");
    switch (entry.getString("op").getValue()) {
      case "i" -> changes.add(new Change(time, namespace, "insert", change.get("_id")));
      case "d" -> changes.add(new Change(time, namespace, "delete", change.get("_id")));
      case "u" ->
          changes.add(
              new Change(
                  time,
                  namespace,
                  change.containsKey("$v") ? "update" : "replace",
                  entry.getDocument("o2").get("_id")));
      default -> {
        // Definitions of collections, which are no changes of documents.
      }
    }
  }
}
