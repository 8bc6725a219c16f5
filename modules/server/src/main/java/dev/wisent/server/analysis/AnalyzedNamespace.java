package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandRequest;
import java.util.Set;

/** The arguments that the commands of this package share. */
final class AnalyzedNamespace {
  private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

  private AnalyzedNamespace() {}

  static Namespace of(CommandRequest request) {
    String name = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    Namespace namespace = Namespace.parse(name);
    if (INTERNAL.contains(namespace.database()) || namespace.isSystem()) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Cannot run " + request.name() + " command for an internal collection: " + namespace);
    }
    return namespace;
  }

  static AnalyzedCollection existing(
      AnalyzedCollections collections, OperationContext operation, Namespace namespace) {
    AnalyzedCollection found = collections.find(operation, namespace);
    if (found == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND, "Collection " + namespace + " does not exist");
    }
    if (found.isView()) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "The operation is not supported for a view");
    }
    return found;
  }

  static double number(ArgumentReader reader) {
    RawValue value = reader.value();
    if (!value.isNumber()) {
      throw ArgumentTypes.wrongType(reader.path(), value.type(), "double");
    }
    return value.toDouble();
  }
}
