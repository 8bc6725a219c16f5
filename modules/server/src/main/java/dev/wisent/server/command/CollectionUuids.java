package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.server.privilege.Principal;
import java.util.UUID;

/**
 * Collections by UUID: in place of a name, and as {@code collectionUUID}, which says what
 * collection a client expects under a name.
 */
public final class CollectionUuids {
  private final Definitions definitions;

  /**
   * @param definitions null on a router: the shards compare
   */
  public CollectionUuids(Definitions definitions) {
    this.definitions = definitions;
  }

  /** The request with the name of the collection that it calls by UUID; otherwise the same. */
  public CommandRequest named(CommandRequest request, CommandSpec spec) {
    RawValue argument = request.argument();
    if (definitions == null
        || !spec.is(CommandTrait.COLLECTION_BY_UUID)
        || argument.type() != ElementType.BINARY) {
      return request;
    }
    UUID uuid = parse(spec.name() + "." + spec.name(), argument);
    Namespace named = definitions.named(request.database(), uuid);
    if (named == null) {
      throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "Unable to resolve " + uuid);
    }
    return request.withArgument(named.collection());
  }

  /**
   * Fails if there is not the collection under the name that the client expects there. Null for
   * nothing to complain about.
   */
  public CollectionUuidMismatchException mismatch(CommandRequest request, CommandSpec spec) {
    if (definitions == null || !spec.is(CommandTrait.COLLECTION_UUID)) {
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
    return mismatch(
        namespace, parse(spec.name() + ".collectionUUID", expected), request.principal());
  }

  /**
   * As {@link #mismatch(CommandRequest, CommandSpec)}, for one name. The name of the collection
   * that has the UUID is told to those that may know of it.
   */
  public CollectionUuidMismatchException mismatch(
      Namespace namespace, UUID expected, Principal principal) {
    if (definitions == null) {
      return null;
    }
    CollectionInfo found = definitions.find(namespace);
    if (found != null && expected.equals(found.uuid())) {
      return null;
    }
    Namespace actual = definitions.named(namespace.database(), expected);
    boolean told = actual != null && principal.knows(actual.database(), actual.collection());
    return new CollectionUuidMismatchException(
        namespace, expected, told ? actual.collection() : null);
  }

  /** A binary of the subtype for UUIDs. */
  public static UUID parse(String path, RawValue value) {
    if (value.type() != ElementType.BINARY) {
      throw ArgumentTypes.wrongType(path, value.type(), "binData");
    }
    if (!value.isUuid()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '" + path + "' is the wrong binData type, expected UUID");
    }
    return value.asUuid();
  }
}
