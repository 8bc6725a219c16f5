package dev.wisent.tools.restore;

import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/** Specifications of indexes that are built after the oplog is replayed. */
final class PendingIndexes {
  /** How {@code collMod} names the index. */
  private static final Set<String> NAMES = Set.of("name", "keyPattern");

  /** Options that are as if they were not there when they are false. */
  private static final Set<String> FLAGS = Set.of("hidden", "unique", "prepareUnique");

  private PendingIndexes() {}

  /** Does to one of them what {@code collMod} does, and returns whether it is there. */
  static boolean modify(List<BsonDocument> indexes, BsonDocument change) {
    for (int i = 0; i < indexes.size(); i++) {
      if (isMeant(indexes.get(i), change)) {
        indexes.set(i, modified(indexes.get(i), change));
        return true;
      }
    }
    return false;
  }

  private static boolean isMeant(BsonDocument index, BsonDocument change) {
    return change.containsKey("name")
        ? change.get("name").equals(index.get("name"))
        : change.containsKey("keyPattern") && change.get("keyPattern").equals(index.get("key"));
  }

  private static BsonDocument modified(BsonDocument index, BsonDocument change) {
    BsonDocument changed = index.clone();
    change.forEach(
        (option, value) -> {
          if (NAMES.contains(option)) {
            return;
          }
          if (FLAGS.contains(option) && value.equals(BsonBoolean.FALSE)) {
            changed.remove(option);
          } else {
            changed.put(option, value);
          }
        });
    if (change.containsKey("unique")) {
      changed.remove("prepareUnique");
    }
    return changed;
  }
}
