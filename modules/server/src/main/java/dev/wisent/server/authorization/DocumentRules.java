package dev.wisent.server.authorization;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.List;

/** What commands need that read and write documents. */
final class DocumentRules {
  static final String BYPASS = "bypassDocumentValidation";

  private DocumentRules() {}

  static boolean insert(CommandRequest request, Principal principal) {
    return on(request, principal, Action.INSERT) && bypass(request, principal);
  }

  static boolean update(CommandRequest request, Principal principal) {
    if (!on(request, principal, Action.UPDATE) || !bypass(request, principal)) {
      return false;
    }
    if (on(request, principal, Action.INSERT)) {
      return true;
    }
    for (RawDocument statement : Arguments.documents(request, "updates")) {
      if (Arguments.isTrue(statement, "upsert")) {
        return false;
      }
    }
    return true;
  }

  static boolean findAndModify(CommandRequest request, Principal principal) {
    RawDocument body = request.body();
    boolean removes = Arguments.isTrue(body, "remove");
    return on(request, principal, Action.FIND)
        && on(request, principal, removes ? Action.REMOVE : Action.UPDATE)
        && (!Arguments.isTrue(body, "upsert") || on(request, principal, Action.INSERT))
        && bypass(request, principal);
  }

  private static boolean bypass(CommandRequest request, Principal principal) {
    return !Arguments.isTrue(request.body(), BYPASS)
        || on(request, principal, Action.BYPASS_DOCUMENT_VALIDATION);
  }

  /** On the collection that the command names. */
  static boolean on(CommandRequest request, Principal principal, Action action) {
    String collection = Arguments.collection(request);
    return collection == null
        ? principal.onDatabase(request.database(), action)
        : principal.onCollection(request.database(), collection, action);
  }

  static boolean aggregate(CommandRequest request, Principal principal) {
    String collection = Arguments.collection(request);
    return PipelineAccess.allows(
        principal,
        request.database(),
        collection == null ? PipelineAccess.WHOLE_DATABASE : collection,
        Arguments.isTrue(request.body(), BYPASS),
        request.body().get("pipeline"));
  }

  /** The output stands in the place of another collection, or is put into it. */
  static boolean mapReduce(CommandRequest request, Principal principal) {
    if (!on(request, principal, Action.FIND)) {
      return false;
    }
    RawValue out = request.body().get("out");
    String database = request.database();
    String collection = Arguments.text(out);
    boolean replaces = true;
    if (out != null && out.isDocument()) {
      RawDocument target = out.asDocument();
      if (Arguments.has(target, "inline")) {
        return true;
      }
      String named = Arguments.text(target, "db");
      database = named == null ? database : named;
      String replaced = Arguments.text(target, "replace");
      String merged = Arguments.text(target, "merge");
      replaces = replaced != null;
      collection = replaces ? replaced : merged;
      collection = collection == null ? Arguments.text(target, "reduce") : collection;
    }
    if (collection == null) {
      return true; // The command refuses such an output.
    }
    return principal.onCollection(database, collection, Action.INSERT)
        && principal.onCollection(database, collection, replaces ? Action.REMOVE : Action.UPDATE)
        && (!Arguments.isTrue(request.body(), BYPASS)
            || principal.onCollection(database, collection, Action.BYPASS_DOCUMENT_VALIDATION));
  }

  static boolean bulkWrite(CommandRequest request, Principal principal) {
    List<RawDocument> namespaces = Arguments.documents(request, "nsInfo");
    boolean bypass = Arguments.isTrue(request.body(), BYPASS);
    for (RawDocument operation : Arguments.documents(request, "ops")) {
      if (!operationMayRun(operation, namespaces, bypass, principal)) {
        return false;
      }
    }
    return true;
  }

  private static boolean operationMayRun(
      RawDocument operation, List<RawDocument> namespaces, boolean bypass, Principal principal) {
    ElementCursor fields = operation.elements();
    if (!fields.next() || !fields.value().isNumber()) {
      return true; // The command refuses it, and so the next ones.
    }
    long index = fields.value().toLong();
    if (index < 0 || index >= namespaces.size()) {
      return true;
    }
    String full = Arguments.text(namespaces.get((int) index), "ns");
    if (full == null) {
      return true;
    }
    Namespace namespace = Namespace.parse(full);
    boolean allowed =
        switch (fields.name()) {
          case "insert" -> on(namespace, principal, Action.INSERT);
          case "delete" -> on(namespace, principal, Action.REMOVE);
          case "update" ->
              on(namespace, principal, Action.UPDATE)
                  && (!Arguments.isTrue(operation, "upsert")
                      || on(namespace, principal, Action.INSERT));
          default -> true;
        };
    return allowed && (!bypass || on(namespace, principal, Action.BYPASS_DOCUMENT_VALIDATION));
  }

  static boolean on(Namespace namespace, Principal principal, Action action) {
    return principal.onCollection(namespace.database(), namespace.collection(), action);
  }
}
