package dev.wisent.server.authorization;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * What {@code applyOps} needs: beside its own action that of each entry, so that it opens no way
 * around them.
 */
final class ApplyOpsRule implements AccessRule {
  private static final String NAME = "applyOps";
  private static final int NESTED_MAX = 10;

  private final BiPredicate<CommandRequest, Principal> mayRun;

  /**
   * @param mayRun whether a command may run
   */
  ApplyOpsRule(BiPredicate<CommandRequest, Principal> mayRun) {
    this.mayRun = mayRun;
  }

  @Override
  public boolean allows(CommandRequest request, Principal principal) {
    if (!principal.onCluster(Action.APPLY_OPS)) {
      return false;
    }
    if (Arguments.isTrue(request.body(), DocumentRules.BYPASS)
        && !principal.onAnyNormal(Action.BYPASS_DOCUMENT_VALIDATION)) {
      return false;
    }
    return entriesMayRun(request.argument(), principal, 0);
  }

  private boolean entriesMayRun(RawValue entries, Principal principal, int depth) {
    if (depth > NESTED_MAX) {
      return true; // The command refuses it.
    }
    List<RawValue> values = Arguments.values(entries);
    for (RawValue value : values) {
      if (value.isDocument() && !entryMayRun(value.asDocument(), principal, depth)) {
        return false;
      }
    }
    return true;
  }

  private boolean entryMayRun(RawDocument entry, Principal principal, int depth) {
    String kind = Arguments.text(entry, "op");
    String full = Arguments.text(entry, "ns");
    RawDocument what = Arguments.document(entry, "o");
    if (kind == null || full == null || what == null) {
      return true;
    }
    // The UUID may be that of a collection with another name.
    if (Arguments.has(entry, "ui")
        && !(principal.onCluster(Action.USE_UUID) && principal.onCluster(Action.FORCE_UUID))) {
      return false;
    }
    Namespace namespace = Namespace.parse(full);
    boolean upserts = Arguments.isTrue(entry, "b");
    return switch (kind) {
      // One that is there already is replaced.
      case "i" ->
          DocumentRules.on(namespace, principal, Action.INSERT)
              && DocumentRules.on(namespace, principal, Action.UPDATE);
      case "u" ->
          DocumentRules.on(namespace, principal, Action.UPDATE)
              && (!upserts || DocumentRules.on(namespace, principal, Action.INSERT));
      case "d" -> DocumentRules.on(namespace, principal, Action.REMOVE);
      case "c" -> commandMayRun(namespace, what, principal, depth);
      default -> principal.onCluster(Action.APPEND_OPLOG_NOTE);
    };
  }

  private boolean commandMayRun(
      Namespace namespace, RawDocument what, Principal principal, int depth) {
    RawValue nested = Arguments.field(what, NAME);
    if (nested != null) {
      return entriesMayRun(nested, principal, depth + 1);
    }
    RawDocument command =
        new BsonBuilder(what.length() + 64)
            .appendAll(what)
            .appendString("$db", namespace.database())
            .toDocument();
    return mayRun.test(CommandRequest.implied(command, namespace.database()), principal);
  }
}
