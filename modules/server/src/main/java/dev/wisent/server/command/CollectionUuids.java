package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.database.NodeDatabase;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.Namespace;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Collections by UUID: in place of a name, and as {@code collectionUUID}, which says what
 * collection a client expects under a name.
 */
public final class CollectionUuids {
  private static final int BINARY_HEADER_BYTES = 5;
  private static final int UUID_BYTES = 16;
  private static final byte UUID_SUBTYPE = 4;

  private final NodeDatabase database;

  public CollectionUuids(NodeDatabase database) {
    this.database = database;
  }

  /** The request with the name of the collection that it calls by UUID; otherwise the same. */
  public CommandRequest named(CommandRequest request, CommandSpec spec) {
    RawValue argument = request.argument();
    if (!spec.is(CommandTrait.COLLECTION_BY_UUID) || argument.type() != ElementType.BINARY) {
      return request;
    }
    UUID uuid = parse(spec.name() + "." + spec.name(), argument);
    Collection collection = find(request.database(), uuid);
    if (collection == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "Unable to resolve " + uuid);
    }
    return request.withArgument(collection.namespace().collection());
  }

  /**
   * Fails if there is not the collection under the name that the client expects there. Null for
   * nothing to complain about.
   */
  public CollectionUuidMismatchException mismatch(CommandRequest request, CommandSpec spec) {
    if (!spec.is(CommandTrait.COLLECTION_UUID)) {
      return null;
    }
    RawValue expected = request.body().get("collectionUUID");
    if (expected == null || expected.isNullish() || !request.argument().isString()) {
      return null;
    }
    String name = request.argument().asString();
    Namespace namespace =
        spec.is(CommandTrait.ADMIN_ONLY)
            ? Namespace.parse(name)
            : new Namespace(request.database(), name);
    return mismatch(namespace, parse(spec.name() + ".collectionUUID", expected));
  }

  /** As {@link #mismatch(CommandRequest, CommandSpec)}, for one name. */
  public CollectionUuidMismatchException mismatch(Namespace namespace, UUID expected) {
    Collection collection = database.collection(namespace);
    if (collection != null && collection.definition().uuid().equals(expected)) {
      return null;
    }
    Collection actual = find(namespace.database(), expected);
    return new CollectionUuidMismatchException(
        namespace, expected, actual == null ? null : actual.namespace().collection());
  }

  private Collection find(String name, UUID uuid) {
    return database.inDatabase(name).stream()
        .filter(collection -> collection.definition().uuid().equals(uuid))
        .findFirst()
        .orElse(null);
  }

  /** A binary of the subtype for UUIDs. */
  public static UUID parse(String path, RawValue value) {
    if (value.type() != ElementType.BINARY) {
      throw ArgumentTypes.wrongType(path, value.type(), "binData");
    }
    if (value.length() != BINARY_HEADER_BYTES + UUID_BYTES
        || value.bytes()[value.offset() + 4] != UUID_SUBTYPE) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '" + path + "' is the wrong binData type, expected UUID");
    }
    ByteBuffer bits =
        ByteBuffer.wrap(value.bytes(), value.offset() + BINARY_HEADER_BYTES, UUID_BYTES);
    return new UUID(bits.getLong(), bits.getLong());
  }
}
