package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.database.Namespace;

/** The collection that a command names in its own field. */
public final class NamespaceArgument {
  private NamespaceArgument() {}

  public static Namespace of(CommandRequest request) {
    RawValue collection = request.argument();
    if (collection.type() != ElementType.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Collection name has invalid type " + ElementType.alias(collection.type()));
    }
    return Namespace.checked(request.database(), collection.asString());
  }
}
