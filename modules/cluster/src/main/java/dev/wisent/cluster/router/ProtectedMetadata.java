package dev.wisent.cluster.router;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.operation.RunningOperation;
import java.util.Set;

/** What clients may not write in the database {@code config}: commands of the cluster do. */
final class ProtectedMetadata {
  private static final Set<String> PROTECTED =
      Set.of("chunks", "shards", "databases", "version", "changelog");

  /** Where the balancer and its helpers are told what to do with a collection. */
  private static final String COLLECTIONS = "collections";

  private static final Set<String> SETTINGS =
      Set.of("noBalance", "enableAutoMerge", "maxChunkSizeBytes", "permitMigrations");
  private static final Set<String> OPERATORS = Set.of("$set", "$unset");

  private ProtectedMetadata() {}

  /** Fails for a command that would change it. */
  static void check(RunningOperation operation, Namespace namespace) {
    if (operation.spec().kind() == CommandKind.READ
        || namespace == null
        || !namespace.database().equals("config")) {
      return;
    }
    if (PROTECTED.contains(namespace.collection())
        || (namespace.collection().equals(COLLECTIONS)
            && !changesSettings(operation.request(), operation.spec().name()))) {
      // Not IllegalOperation: of that one drivers say that there are no retryable writes.
      throw new CommandException(
          ErrorCode.COMMAND_NOT_SUPPORTED,
          namespace + " cannot be changed directly: use the commands of the cluster");
    }
  }

  private static boolean changesSettings(CommandRequest request, String command) {
    if (!command.equals("update")) {
      return false;
    }
    for (RawDocument statement : request.documents("updates")) {
      RawValue update = statement.get("u");
      RawValue upsert = statement.get("upsert");
      if (update == null
          || !update.isDocument()
          || (upsert != null && upsert.isTruthy())
          || !isOfSettings(update.asDocument())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOfSettings(RawDocument update) {
    for (ElementCursor each = update.elements(); each.next(); ) {
      if (!OPERATORS.contains(each.name()) || !each.value().isDocument()) {
        return false;
      }
      for (ElementCursor field = each.value().asDocument().elements(); field.next(); ) {
        if (!SETTINGS.contains(field.name())) {
          return false;
        }
      }
    }
    return !update.isEmpty();
  }
}
