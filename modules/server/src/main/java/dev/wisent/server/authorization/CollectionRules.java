package dev.wisent.server.authorization;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;

/** What commands need that define, list and check collections. */
final class CollectionRules {
  private CollectionRules() {}

  static boolean create(CommandRequest request, Principal principal) {
    RawDocument body = request.body();
    if (Arguments.isTrue(body, "capped")
        && !DocumentRules.on(request, principal, Action.CONVERT_TO_CAPPED)) {
      return false;
    }
    boolean creates = DocumentRules.on(request, principal, Action.CREATE_COLLECTION);
    if (Arguments.has(body, "viewOn")) {
      return creates && viewMayShow(request, principal);
    }
    return creates || DocumentRules.on(request, principal, Action.INSERT);
  }

  /** A view cannot be changed in one half only, which might show more than the whole did. */
  static boolean collMod(CommandRequest request, Principal principal) {
    if (!DocumentRules.on(request, principal, Action.COLL_MOD)) {
      return false;
    }
    boolean hasSource = request.body().get("viewOn") != null;
    if (hasSource != (request.body().get("pipeline") != null)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Must specify both 'viewOn' and 'pipeline' when modifying a view and auth is enabled");
    }
    return !hasSource || viewMayShow(request, principal);
  }

  /** One that could read the view has to be able to read what the view shows. */
  private static boolean viewMayShow(CommandRequest request, Principal principal) {
    if (!DocumentRules.on(request, principal, Action.FIND)) {
      return true;
    }
    String source = Arguments.text(request.body(), "viewOn");
    return source == null
        || PipelineAccess.allows(
            principal, request.database(), source, false, request.body().get("pipeline"));
  }

  /** Within a database a rename is less than a copy, if it makes nothing readable. */
  static boolean rename(CommandRequest request, Principal principal) {
    String from = Arguments.collection(request);
    String to = Arguments.text(request.body(), "to");
    if (from == null || to == null) {
      return true; // The command refuses it.
    }
    Namespace source = Namespace.parse(from);
    Namespace target = Namespace.parse(to);
    boolean drops = Arguments.isTrue(request.body(), "dropTarget");
    if (drops && !DocumentRules.on(target, principal, Action.DROP_COLLECTION)) {
      return false;
    }
    if (source.database().equals(target.database())
        && !source.isSystem()
        && !target.isSystem()
        && principal.onDatabase(source.database(), Action.RENAME_COLLECTION_SAME_DB)
        && (DocumentRules.on(source, principal, Action.FIND)
            || !DocumentRules.on(target, principal, Action.FIND))) {
      return true;
    }
    return DocumentRules.on(source, principal, Action.FIND)
        && DocumentRules.on(source, principal, Action.DROP_COLLECTION)
        && DocumentRules.on(target, principal, Action.INSERT)
        && DocumentRules.on(target, principal, Action.CREATE_INDEX);
  }

  static boolean cloneAsCapped(CommandRequest request, Principal principal) {
    String to = Arguments.text(request.body(), "toCollection");
    if (!DocumentRules.on(request, principal, Action.FIND) || to == null) {
      return false;
    }
    var target = new Namespace(request.database(), to);
    return DocumentRules.on(target, principal, Action.INSERT)
        && DocumentRules.on(target, principal, Action.CREATE_INDEX)
        && DocumentRules.on(target, principal, Action.CONVERT_TO_CAPPED);
  }

  /** Without the privilege a list shows what its reader may use, and only its names. */
  static boolean listCollections(CommandRequest request, Principal principal) {
    if (principal.onDatabase(request.database(), Action.LIST_COLLECTIONS)) {
      return true;
    }
    return Arguments.isTrue(request.body(), "nameOnly")
        && Arguments.isTrue(request.body(), "authorizedCollections")
        && principal.knows(request.database());
  }

  /** The same of databases, with all that there is to say about them. */
  static boolean listDatabases(CommandRequest request, Principal principal) {
    if (principal.onCluster(Action.LIST_DATABASES)) {
      return true;
    }
    RawValue authorized = request.body().get("authorizedDatabases");
    return authorized == null || authorized.isNullish() || authorized.isTruthy();
  }

  /** Its level may be read by one that may read what it writes. */
  static boolean profile(CommandRequest request, Principal principal) {
    String database = request.database();
    if (principal.onDatabase(database, Action.ENABLE_PROFILER)) {
      return true;
    }
    RawValue level = request.argument();
    RawDocument body = request.body();
    return level.isNumber()
        && level.toDouble() < 0
        && !Arguments.has(body, "slowms")
        && !Arguments.has(body, "sampleRate")
        && !Arguments.has(body, "filter")
        && principal.onCollection(database, "system.profile", Action.FIND);
  }

  /** Of a collection, of a database or, in {@code admin}, of the cluster. */
  static boolean checkMetadata(CommandRequest request, Principal principal) {
    Action action = Action.CHECK_METADATA_CONSISTENCY;
    String collection = Arguments.collection(request);
    if (collection != null) {
      return principal.onCollection(request.database(), collection, action);
    }
    return principal.onCluster(action)
        || (!request.database().equals("admin")
            && principal.onDatabase(request.database(), action));
  }

  static boolean validateMetadata(CommandRequest request, Principal principal) {
    String database = Arguments.text(request.body(), "db");
    String collection = Arguments.text(request.body(), "collection");
    if (database == null) {
      return principal.onAnyNormal(Action.VALIDATE);
    }
    return collection == null
        ? principal.onDatabase(database, Action.VALIDATE)
        : principal.onCollection(database, collection, Action.VALIDATE);
  }
}
