package dev.wisent.database.changestream;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.Set;
import java.util.UUID;

/**
 * Entries of the oplog that tell change streams of the shard keys of collections. A shard writes
 * them in the transaction that changes its tables, so that each is there once.
 */
public final class ShardKeyNotes {
  private static final Set<String> KINDS =
      Set.of("shardCollection", "refineCollectionShardKey", "reshardCollection");

  private ShardKeyNotes() {}

  /** Whether there is such an event. */
  public static boolean isKnown(String operationType) {
    return KINDS.contains(operationType);
  }

  /**
   * @param operationType one that {@link #isKnown}
   * @param description what clients get of it
   */
  public static byte[] entry(
      Namespace namespace, UUID uuid, String operationType, RawDocument description) {
    var entry = new BsonBuilder(256).appendString("op", "n");
    entry.appendString("ns", namespace.full()).appendUuid("ui", uuid);
    entry.startDocument("o").startDocument("msg");
    entry.appendString(operationType, namespace.full()).end().end();
    entry.startDocument("o2").appendString(operationType, namespace.full());
    return entry.appendAll(description).end().toDocument().bytes();
  }

  /** Null for a note of another kind. */
  static ChangeEvent event(OplogChange change, Namespace namespace) {
    RawDocument what = EntryFields.document(change.operation(), "o2");
    ElementCursor first = what == null ? null : what.elements();
    if (first == null || !first.next() || !isKnown(first.name())) {
      return null;
    }
    return new ChangeEvent(change, first.name(), namespace)
        .describedBy(what.without(Set.of(first.name())));
  }
}
