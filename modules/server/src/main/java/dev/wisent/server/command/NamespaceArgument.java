package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.SystemNamespaces;

/** The collection that a command names in its own field. */
public final class NamespaceArgument {
  private NamespaceArgument() {}

  /** The same for a command that writes: some collections are the server's own. */
  public static Namespace writable(CommandRequest request) {
    Namespace namespace = of(request);
    SystemNamespaces.checkWrite(namespace);
    return namespace;
  }

  public static Namespace of(CommandRequest request) {
    RawValue collection = request.argument();
    if (collection.type() != ElementType.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Collection name has invalid type " + ElementType.alias(collection.type()));
    }
    return Namespace.inCheckedDatabase(request.database(), collection.asString());
  }
}
