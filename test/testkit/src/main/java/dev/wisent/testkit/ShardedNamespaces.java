package dev.wisent.testkit;

import com.mongodb.MongoCommandException;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.OpMsg;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;

/**
 * Shards collections before they are written to: by the hash of {@code _id}, or by the fields of a
 * unique index where that comes first.
 */
final class ShardedNamespaces {
  private static final Set<String> WRITES =
      Set.of("insert", "update", "findAndModify", "findandmodify", "createIndexes");

  private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

  private static final BsonDocument HASHED_ID = new BsonDocument("_id", new BsonString("hashed"));

  private final TestCluster cluster;

  /** Those that are sharded, and those that cannot be. */
  private final Set<String> known = new HashSet<>();

  ShardedNamespaces(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Looks at a command that is about to reach the router. */
  synchronized void before(OpMsg message) {
    RawDocument body = message.body();
    ElementCursor fields = body.elements();
    RawValue named = body.get("$db");
    if (!fields.next() || named == null || !named.isString()) {
      return;
    }
    String database = named.asString();
    String command = fields.name();
    RawValue argument = fields.value();
    switch (command) {
      case "bulkWrite" ->
          bulkWriteNamespaces(message).forEach(namespace -> shard(namespace, HASHED_ID));
      case "dropDatabase" -> known.removeIf(name -> name.startsWith(database + "."));
      case "renameCollection" -> {
        forget(argument);
        forget(body.get("to"));
      }
      case "create", "drop" -> {
        if (argument.isString()) {
          known.remove(database + "." + argument.asString());
        }
      }
      default -> {
        // What a transaction creates is not there before.
        boolean inTransaction = body.get("autocommit") != null;
        if (WRITES.contains(command) && argument.isString() && !inTransaction) {
          shard(database + "." + argument.asString(), key(body));
        }
      }
    }
  }

  private void forget(RawValue namespace) {
    if (namespace != null && namespace.isString()) {
      known.remove(namespace.asString());
    }
  }

  private static List<String> bulkWriteNamespaces(OpMsg message) {
    var documents = new ArrayList<RawDocument>();
    for (DocumentSequence sequence : message.sequences()) {
      if (sequence.name().equals("nsInfo")) {
        documents.addAll(sequence.documents());
      }
    }
    return documents.stream()
        .map(document -> document.get("ns"))
        .filter(name -> name != null && name.isString())
        .map(RawValue::asString)
        .toList();
  }

  /** The key for a collection whose first command this is. */
  private static BsonDocument key(RawDocument command) {
    BsonDocument parsed = new RawBsonDocument(command.toByteArray());
    for (BsonValue index : parsed.getArray("indexes", new BsonArray())) {
      BsonDocument options = index.asDocument();
      if (options.getBoolean("unique", BsonBoolean.FALSE).getValue()) {
        return options.getDocument("key");
      }
    }
    return HASHED_ID;
  }

  private void shard(String namespace, BsonDocument key) {
    int dot = namespace.indexOf('.');
    boolean ordinary =
        dot > 0
            && !INTERNAL.contains(namespace.substring(0, dot))
            && !namespace.startsWith("system.", dot + 1);
    if (!ordinary || !known.add(namespace)) {
      return;
    }
    try {
      cluster.admin(
          new Document("shardCollection", namespace)
              .append("key", key)
              .append("unique", !key.equals(HASHED_ID))
              .append("collation", new Document("locale", "simple")));
    } catch (MongoCommandException notShardable) {
      // A view, a capped collection, a name that is not allowed: the router sees it as it came.
    }
  }
}
