package dev.wisent.database.changestream;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
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
    return switch (string(entry, "op")) {
      case "i", "u", "d" -> Set.of(Namespace.parse(string(entry, "ns")));
      case "n" -> Set.of();
      case "c" -> ofTransaction(entry);
      default -> null;
    };
  }

  /** Those of the operations of a transaction that is one entry. */
  private static Set<Namespace> ofTransaction(RawDocument entry) {
    RawValue command = entry.get("o");
    RawValue operations =
        command == null || !command.isDocument() ? null : command.asDocument().get("applyOps");
    if (operations == null || !operations.isArray() || isChained(entry, command.asDocument())) {
      return null;
    }
    Set<Namespace> namespaces = new LinkedHashSet<>();
    ElementCursor each = operations.elements();
    while (each.next()) {
      if (!each.value().isDocument() || string(each.value().asDocument(), "op").equals("c")) {
        return null;
      }
      namespaces.add(Namespace.parse(string(each.value().asDocument(), "ns")));
    }
    return namespaces;
  }

  private static boolean isChained(RawDocument entry, RawDocument command) {
    RawValue before = entry.get("prevOpTime");
    RawValue timestamp =
        before == null || !before.isDocument() ? null : before.asDocument().get("ts");
    return command.get("partialTxn") != null
        || command.get("prepare") != null
        || (timestamp != null && timestamp.asInt64() != 0);
  }

  private static String string(RawDocument document, String name) {
    RawValue value = document.get(name);
    return value == null || !value.isString() ? "" : value.asString();
  }
}
