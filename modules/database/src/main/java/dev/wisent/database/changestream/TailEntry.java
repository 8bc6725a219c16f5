package dev.wisent.database.changestream;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A recent entry of the oplog, with what streams ask of it first.
 *
 * @param sequence its place in the {@link TailRing}
 * @param namespaces the collections whose documents it changes; null where only a reader of the
 *     whole entry can tell
 */
record TailEntry(long sequence, long timestamp, RawDocument document, Set<Namespace> namespaces) {
  /**
   * @param document an entry, which is copied
   */
  static TailEntry of(long sequence, long timestamp, RawDocument document) {
    RawDocument copy = RawDocument.of(document.toByteArray());
    return new TailEntry(sequence, timestamp, copy, namespaces(copy));
  }

  int bytes() {
    return document.length();
  }

  /** Whether it may have an event for a stream. */
  boolean concerns(StreamScope scope) {
    if (namespaces == null) {
      return true;
    }
    for (Namespace namespace : namespaces) {
      if (scope.covers(namespace) || scope.coversViews(namespace)) {
        return true;
      }
    }
    return false;
  }

  private static Set<Namespace> namespaces(RawDocument entry) {
    return switch (EntryFields.string(entry, "op")) {
      case "i", "u", "d" -> Set.of(Namespace.parse(EntryFields.string(entry, "ns")));
      case "n" -> Set.of();
      case "c" -> ofTransaction(entry);
      default -> null;
    };
  }

  /** Those of the operations of a transaction that is one entry. */
  private static Set<Namespace> ofTransaction(RawDocument entry) {
    RawDocument transaction = EntryFields.transaction(entry);
    if (transaction == null || isChained(entry, transaction)) {
      return null;
    }
    Set<Namespace> namespaces = new LinkedHashSet<>();
    ElementCursor each = transaction.get("applyOps").elements();
    while (each.next()) {
      if (!each.value().isDocument()
          || EntryFields.string(each.value().asDocument(), "op").equals("c")) {
        return null;
      }
      namespaces.add(Namespace.parse(EntryFields.string(each.value().asDocument(), "ns")));
    }
    return namespaces;
  }

  private static boolean isChained(RawDocument entry, RawDocument command) {
    return command.get("partialTxn") != null
        || command.get("prepare") != null
        || EntryFields.previousTimestamp(entry) != 0;
  }
}
