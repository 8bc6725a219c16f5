package dev.wisent.database.changestream;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** Reads fields of entries of the oplog, and of the operations in them. */
final class EntryFields {
  private EntryFields() {}

  /** Empty if there is no string of this name. */
  static String string(RawDocument document, String name) {
    RawValue value = document.get(name);
    return value == null || !value.isString() ? "" : value.asString();
  }

  /** Null if there is no document of this name. */
  static RawDocument document(RawDocument document, String name) {
    RawValue value = document.get(name);
    return value == null || !value.isDocument() ? null : value.asDocument();
  }

  static boolean isTrue(RawDocument document, String name) {
    RawValue flag = document.get(name);
    return flag != null && flag.isTruthy();
  }

  /**
   * What an entry says of a transaction, with its {@code applyOps}; null if it is another entry.
   */
  static RawDocument transaction(RawDocument entry) {
    RawDocument command = string(entry, "op").equals("c") ? document(entry, "o") : null;
    RawValue operations = command == null ? null : command.get("applyOps");
    return operations != null && operations.isArray() ? command : null;
  }

  /** Whether an entry commits a transaction that earlier entries have prepared. */
  static boolean isCommit(RawDocument entry) {
    RawDocument command = string(entry, "op").equals("c") ? document(entry, "o") : null;
    return command != null && command.get("commitTransaction") != null;
  }

  /** The time that all shards of a transaction commit at, as the entry of the commit tells. */
  static long commitTime(RawDocument entry, long timestamp) {
    RawValue time = document(entry, "o").get("commitTimestamp");
    return time == null ? timestamp : time.asInt64();
  }

  /** The timestamp of the entry before in the same transaction; 0 if this is the first one. */
  static long previousTimestamp(RawDocument entry) {
    RawDocument previous = document(entry, "prevOpTime");
    RawValue timestamp = previous == null ? null : previous.get("ts");
    return timestamp == null ? 0 : timestamp.asInt64();
  }
}
