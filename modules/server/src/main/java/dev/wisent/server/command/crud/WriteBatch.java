package dev.wisent.server.command.crud;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;

/** The arguments that {@code insert}, {@code update} and {@code delete} have in common. */
record WriteBatch(
    Namespace namespace, List<RawDocument> statements, boolean ordered, boolean bypassValidation) {

  /** The batch of a command whose statements have no variables. */
  static WriteBatch parse(CommandRequest request, String statements, CommandContext context) {
    return parse(request, statements, context, false);
  }

  /** The batch of a command that takes {@code let}. */
  static WriteBatch parseWithLet(
      CommandRequest request, String statements, CommandContext context) {
    return parse(request, statements, context, true);
  }

  /**
   * @param statements the argument with the statements
   * @param context gets the variables, and whether empty timestamps stay
   */
  private static WriteBatch parse(
      CommandRequest request, String statements, CommandContext context, boolean takesLet) {
    Namespace namespace = NamespaceArgument.writable(request);
    List<RawDocument> inBody = null;
    boolean ordered = true;
    boolean bypassValidation = false;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      String name = reader.name();
      switch (name) {
        case "ordered" -> ordered = reader.bool();
        case "stmtIds" -> reader.array();
        case "bypassDocumentValidation" -> bypassValidation = reader.bool();
        case "bypassEmptyTsReplacement" ->
            context.operation().writes().keepEmptyTimestamps(reader.bool());
        case "collectionUUID" -> reader.uuid();
        default -> {
          if (name.equals(statements)) {
            inBody = reader.documents();
          } else if (name.equals("let") && takesLet) {
            LetArgument.read(reader, context);
          } else {
            reader.unknown();
          }
        }
      }
    }
    // The first failure ends a transaction, so that nothing is left to do after it.
    return new WriteBatch(
        namespace,
        Writes.statements(request, statements, inBody),
        ordered || request.isInTransaction(),
        bypassValidation);
  }
}
