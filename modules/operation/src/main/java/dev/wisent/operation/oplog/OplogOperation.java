package dev.wisent.operation.oplog;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import java.util.UUID;

/**
 * An entry of an oplog, of this set or another, to be applied. When it was written does not matter.
 *
 * @param uuid the collection that is meant, whatever its name is now; null to go by the name
 * @param what the document, the update, the key or the command
 * @param which what an update is for; empty if that is not said
 */
public record OplogOperation(
    Kind kind,
    Namespace namespace,
    UUID uuid,
    RawDocument what,
    RawDocument which,
    boolean upsert) {
  /** What an entry does. */
  public enum Kind {
    INSERT,
    UPDATE,
    DELETE,
    COMMAND,
    NOTHING
  }

  public static OplogOperation parse(RawDocument entry) {
    Kind kind = kind(required(entry, "op", ElementType.STRING).asString());
    String namespace = required(entry, "ns", ElementType.STRING).asString();
    RawDocument what = required(entry, "o", ElementType.DOCUMENT).asDocument();
    RawValue which = entry.get("o2");
    RawValue upsert = entry.get("b");
    return new OplogOperation(
        kind,
        kind == Kind.NOTHING ? Namespace.parse(namespace) : named(namespace),
        uuid(entry.get("ui")),
        what,
        which == null || !which.isDocument() ? RawDocument.EMPTY : which.asDocument(),
        upsert != null && upsert.isTruthy());
  }

  private static Kind kind(String name) {
    return switch (name) {
      case "i" -> Kind.INSERT;
      case "u" -> Kind.UPDATE;
      case "d" -> Kind.DELETE;
      case "c" -> Kind.COMMAND;
      case "n" -> Kind.NOTHING;
      default ->
          throw new CommandException(
              ErrorCode.BAD_VALUE,
              "Enumeration value '"
                  + name
                  + "' for field 'OplogEntryBase.op' is not a valid value.");
    };
  }

  private static Namespace named(String full) {
    Namespace namespace = Namespace.parse(full);
    Namespace.checkDatabase(namespace.database());
    if (namespace.collection().isEmpty()) {
      throw new CommandException(ErrorCode.INVALID_NAMESPACE, "invalid ns: " + full);
    }
    return namespace;
  }

  private static UUID uuid(RawValue value) {
    if (value == null) {
      return null;
    }
    if (!value.isUuid()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "BSON field 'OplogEntryBase.ui' must be a UUID");
    }
    return value.asUuid();
  }

  private static RawValue required(RawDocument entry, String name, byte type) {
    RawValue value = entry.get(name);
    if (value == null) {
      throw new CommandException(
          ErrorCode.IDL_FAILED_TO_PARSE,
          "BSON field 'OplogEntryBase." + name + "' is missing but a required field");
    }
    if (value.type() != type) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field 'OplogEntryBase."
              + name
              + "' is the wrong type '"
              + ElementType.alias(value.type())
              + "', expected type '"
              + ElementType.alias(type)
              + "'");
    }
    return value;
  }
}
