package dev.wisent.tools.restore;

import com.mongodb.MongoException;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;

/**
 * Repeats entries of an oplog by {@code applyOps}. Indexes are only noted, because they are built
 * after it. The parts of a transaction are applied when it commits. For one thread.
 */
final class OplogReplay {
  private static final int ENTRIES_MAX = 200;
  private static final int BYTES_MAX = 4 << 20;
  private static final Set<String> APPLIED = Set.of("renameCollection", "convertToCapped");
  private static final Set<String> SKIPPED =
      Set.of("startIndexBuild", "abortIndexBuild", "setMultikeyMetadata", "dbCheck", "emptycapped");

  private final Deployment deployment;
  private final RestoreSettings settings;
  private final Function<String, Optional<CollectionRestore>> restores;
  private final Map<BsonDocument, List<BsonDocument>> transactions = new HashMap<>();

  /** Collections and databases that the oplog has dropped. */
  private final Set<String> gone = new HashSet<>();

  private final BsonArray waiting = new BsonArray();
  private int waitingBytes;
  private long applied;
  private boolean ended;

  /**
   * @param restores finds a collection of the dump by its name
   */
  OplogReplay(
      Deployment deployment,
      RestoreSettings settings,
      Function<String, Optional<CollectionRestore>> restores) {
    this.deployment = deployment;
    this.settings = settings;
    this.restores = restores;
  }

  long applied() {
    return applied;
  }

  void entry(BsonDocument entry, int bytes) throws ToolException {
    BsonTimestamp time = entry.getTimestamp("ts", new BsonTimestamp(0));
    if (settings.oplogLimit() != null && time.compareTo(settings.oplogLimit()) >= 0) {
      ended = true;
    }
    if (ended) {
      return;
    }
    BsonDocument transaction = transaction(entry);
    if (transaction == null) {
      operation(entry, bytes);
    } else {
      ofTransaction(transaction, entry, bytes);
    }
  }

  /** Which transaction an entry is a part of; null for none. */
  private static BsonDocument transaction(BsonDocument entry) {
    BsonDocument what = entry.getDocument("o", new BsonDocument());
    boolean kind =
        what.containsKey("applyOps")
            || what.containsKey("commitTransaction")
            || what.containsKey("abortTransaction");
    if (!kind || !entry.containsKey("lsid") || !entry.containsKey("txnNumber")) {
      return null;
    }
    return new BsonDocument("lsid", entry.get("lsid")).append("txn", entry.get("txnNumber"));
  }

  private void ofTransaction(BsonDocument transaction, BsonDocument entry, int bytes)
      throws ToolException {
    BsonDocument what = entry.getDocument("o");
    if (what.containsKey("abortTransaction")) {
      transactions.remove(transaction);
      return;
    }
    List<BsonDocument> parts =
        transactions.computeIfAbsent(transaction, ignored -> new ArrayList<>());
    if (what.containsKey("applyOps")) {
      what.getArray("applyOps").forEach(each -> parts.add(each.asDocument()));
      boolean more =
          what.getBoolean("partialTxn", BsonBoolean.FALSE).getValue()
              || what.getBoolean("prepare", BsonBoolean.FALSE).getValue();
      if (more) {
        return;
      }
    }
    transactions.remove(transaction);
    for (BsonDocument part : parts) {
      operation(part, bytes);
    }
  }

  private void operation(BsonDocument entry, int bytes) throws ToolException {
    String namespace = entry.getString("ns", new BsonString("")).getValue();
    String kind = entry.getString("op", new BsonString("n")).getValue();
    boolean internal = namespace.startsWith("config.") || namespace.startsWith("local.");
    if (internal || isOfUsers(namespace)) {
      return;
    }
    switch (kind) {
      case "i", "u", "d" -> {
        if (!isIndexTable(namespace)) {
          apply(entry, bytes);
        }
      }
      case "c" -> command(entry, namespace, bytes);
      default -> {}
    }
  }

  private static boolean isIndexTable(String namespace) {
    return namespace.endsWith(".system.indexes") || namespace.endsWith(".system.profile");
  }

  /** They are merged from the dump, and version and keys of a server are its own. */
  private static boolean isOfUsers(String namespace) {
    return namespace.startsWith("admin.system.");
  }

  private void command(BsonDocument entry, String namespace, int bytes) throws ToolException {
    BsonDocument what = entry.getDocument("o");
    String name = what.getFirstKey();
    String database = namespace.substring(0, Math.max(0, namespace.indexOf('.')));
    switch (name) {
      case "applyOps" -> {
        for (BsonValue nested : what.getArray(name)) {
          operation(nested.asDocument(), bytes);
        }
      }
      case "createIndexes" -> {
        BsonDocument index = what.clone();
        String collection = index.remove(name).asString().getValue();
        addIndex(database + "." + collection, index);
      }
      case "commitIndexBuild" -> {
        String collection = what.getString(name).getValue();
        for (BsonValue index : what.getArray("indexes")) {
          addIndex(database + "." + collection, index.asDocument());
        }
      }
      case "dropIndexes", "deleteIndexes", "dropIndex", "deleteIndex" -> {
        String collection = what.getString(name).getValue();
        BsonValue index = what.get("index", new BsonString("*"));
        restores.apply(database + "." + collection).ifPresent(restore -> dropIndex(restore, index));
      }
      case "collMod" -> {
        BsonDocument rest = modified(what, database + "." + what.getString(name).getValue());
        if (rest.size() > 1) {
          apply(entry.clone().append("o", rest), bytes);
        }
      }
      case "create" -> {
        // It was created before the collections of the dump were listed.
        if (!isThere(database + "." + what.getString(name).getValue())) {
          apply(entry, bytes);
        }
      }
      case "drop" -> {
        String dropped = database + "." + what.getString(name).getValue();
        restores.apply(dropped).ifPresent(restore -> restore.indexes().clear());
        gone.add(dropped);
        apply(entry, bytes);
      }
      case "dropDatabase" -> {
        gone.add(database);
        apply(entry, bytes);
      }
      default -> {
        if (APPLIED.contains(name)) {
          apply(entry, bytes);
        } else if (!SKIPPED.contains(name)) {
          throw ToolException.failed("the oplog has a command that is not known: " + name);
        }
      }
    }
  }

  /** Whether the dump has brought a collection, and the oplog has not dropped it since. */
  private boolean isThere(String namespace) {
    String database = namespace.substring(0, namespace.indexOf('.'));
    return restores.apply(namespace).isPresent()
        && !gone.contains(namespace)
        && !gone.contains(database);
  }

  private void addIndex(String namespace, BsonDocument index) throws ToolException {
    CollectionRestore restore = restores.apply(namespace).orElse(null);
    if (restore == null) {
      // Created after the dump began: there is nothing to build it after.
      flush();
      run(
          namespace.substring(0, namespace.indexOf('.')),
          new BsonDocument(
                  "createIndexes", new BsonString(namespace.substring(namespace.indexOf('.') + 1)))
              .append("indexes", new BsonArray(List.of(without(index, "v", "ns")))));
      return;
    }
    BsonValue name = index.get("name");
    if (restore.indexes().stream().noneMatch(each -> each.get("name").equals(name))) {
      restore.indexes().add(index);
    }
  }

  /** Changes an index that is not built yet, and returns the rest of the command. */
  private BsonDocument modified(BsonDocument command, String namespace) {
    CollectionRestore restore = restores.apply(namespace).orElse(null);
    BsonValue change = command.get("index");
    if (restore == null || change == null || !change.isDocument()) {
      return command;
    }
    return PendingIndexes.modify(restore.indexes(), change.asDocument())
        ? without(command, "index")
        : command;
  }

  private static void dropIndex(CollectionRestore restore, BsonValue index) {
    boolean all = index.isString() && index.asString().getValue().equals("*");
    restore.indexes().removeIf(each -> all || index.equals(each.get("name")));
  }

  private static BsonDocument without(BsonDocument document, String... names) {
    BsonDocument copy = document.clone();
    for (String name : names) {
      copy.remove(name);
    }
    return copy;
  }

  private void apply(BsonDocument entry, int bytes) throws ToolException {
    var plain = new BsonDocument();
    // UUIDs, sessions and statement numbers are those of the server that was dumped.
    for (String field : List.of("op", "ns", "o", "o2", "b")) {
      if (entry.containsKey(field)) {
        plain.append(field, entry.get(field));
      }
    }
    waiting.add(plain);
    waitingBytes += bytes;
    applied++;
    if (waiting.size() == ENTRIES_MAX || waitingBytes > BYTES_MAX) {
      flush();
    }
  }

  void flush() throws ToolException {
    if (!waiting.isEmpty()) {
      BsonDocument command = new BsonDocument("applyOps", waiting);
      if (settings.bypassValidation()) {
        command.append("bypassDocumentValidation", BsonBoolean.TRUE);
      }
      run("admin", command);
      waiting.clear();
      waitingBytes = 0;
    }
  }

  private void run(String database, BsonDocument command) throws ToolException {
    try {
      BsonDocument reply = deployment.database(database).runCommand(command, BsonDocument.class);
      BsonValue wrong = reply.get("results");
      if (wrong != null && wrong.isArray() && wrong.asArray().contains(BsonBoolean.FALSE)) {
        throw ToolException.failed("an entry of the oplog was not applied: " + reply.toJson());
      }
    } catch (MongoException e) {
      throw Deployment.failure("cannot replay the oplog", e);
    }
  }
}
