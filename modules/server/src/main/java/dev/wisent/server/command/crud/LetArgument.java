package dev.wisent.server.command.crud;

import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.expression.CommandVariables;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;

/** The {@code let} of a command: variables for its expressions, computed once. */
final class LetArgument {
  private LetArgument() {}

  static void read(ArgumentReader reader, CommandContext context) {
    OperationContext operation = context.operation();
    operation.let(
        CommandVariables.computed(QueryContexts.of(operation).withLet(reader.document())));
  }
}
