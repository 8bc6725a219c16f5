package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.security.audit.AuditAction;
import dev.wisent.server.audit.AuditLog;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ClientConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code _mergeAuthzCollections}: takes users and roles over from other collections, into which
 * mongorestore has put those of a dump. Without {@code drop} those that exist already stay as they
 * are; with it they are replaced, and those that are not among the new ones go.
 */
final class MergeAuthzCollectionsCommand implements Command {
  private static final int NOT_RESTORED_LOG_ID = 9_000_441;

  private final UserStore store;
  private final UserChanges changes;
  private final AuditLog audit;
  private final Log log;

  MergeAuthzCollectionsCommand(UserStore store, UserChanges changes, AuditLog audit, Log log) {
    this.store = store;
    this.changes = changes;
    this.audit = audit;
    this.log = log;
  }

  /** One of the two collections, and what its events are called. */
  private enum Kind {
    USERS(UserStore.USERS, AuditAction.CREATE_USER, AuditAction.UPDATE_USER, AuditAction.DROP_USER),
    ROLES(UserStore.ROLES, AuditAction.CREATE_ROLE, AuditAction.UPDATE_ROLE, AuditAction.DROP_ROLE);

    private final Namespace stored;
    private final AuditAction created;
    private final AuditAction replaced;
    private final AuditAction dropped;

    Kind(Namespace stored, AuditAction created, AuditAction replaced, AuditAction dropped) {
      this.stored = stored;
      this.created = created;
      this.replaced = replaced;
      this.dropped = dropped;
    }
  }

  /**
   * What a client asks for.
   *
   * @param users the collection with the users; null if there are none to be taken over
   * @param database whose users and roles are meant; empty for all
   */
  private record Merge(Namespace users, Namespace roles, String database, boolean drop) {
    static Merge parse(CommandRequest request) {
      String users = "";
      String roles = "";
      String database = null;
      boolean drop = false;
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "tempUsersCollection" -> users = reader.string();
          case "tempRolesCollection" -> roles = reader.string();
          case "db" -> database = reader.string();
          case "drop" -> drop = reader.bool();
          default -> reader.unknown();
        }
      }
      if (database == null) {
        throw ArgumentTypes.missing(request.nameInErrors() + ".db");
      }
      if (users.isEmpty() && roles.isEmpty()) {
        throw UserOptions.bad(
            "Must provide at least one of \"tempUsersCollection\" and \"tempRolescollection\"");
      }
      return new Merge(namespace(users), namespace(roles), database, drop);
    }

    private static Namespace namespace(String full) {
      return full.isEmpty() ? null : Namespace.parse(full);
    }

    private RawDocument filter() {
      return database.isEmpty() ? RawDocument.EMPTY : UserStore.byDatabase(database);
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Merge merge = Merge.parse(request);
    OperationContext operation = context.operation();
    audit.requireWritable();
    changes.run(
        operation,
        () -> {
          // All are checked before the first one is changed.
          Map<String, RawDocument> users = read(operation, Kind.USERS, merge.users(), merge);
          Map<String, RawDocument> roles = read(operation, Kind.ROLES, merge.roles(), merge);
          if (merge.users() != null) {
            merge(operation, context.client(), Kind.USERS, users, merge);
          }
          if (merge.roles() != null) {
            merge(operation, context.client(), Kind.ROLES, roles, merge);
          }
        });
  }

  private Map<String, RawDocument> read(
      OperationContext operation, Kind kind, Namespace from, Merge merge) {
    var found = new LinkedHashMap<String, RawDocument>();
    List<RawDocument> documents =
        from == null ? List.of() : store.documents(operation, from, merge.filter());
    for (RawDocument each : documents) {
      String id =
          switch (kind) {
            case USERS -> RestoredDocuments.checkedUser(each).id();
            case ROLES -> RestoredDocuments.checkedRole(each).id();
          };
      found.put(id, each);
    }
    return found;
  }

  /** One after the other, so that there is no time without users. */
  private void merge(
      OperationContext operation,
      ClientConnection client,
      Kind kind,
      Map<String, RawDocument> restored,
      Merge merge) {
    var old = new LinkedHashMap<String, RawDocument>();
    if (merge.drop()) {
      for (RawDocument each : store.documents(operation, kind.stored, merge.filter())) {
        old.put(each.get("_id").asString(), each);
      }
    }
    restored.forEach(
        (id, document) -> {
          if (old.remove(id) != null) {
            store.replace(operation, kind.stored, document);
            tell(kind.replaced, client, document);
          } else if (insert(operation, kind, id, document)) {
            tell(kind.created, client, document);
          }
        });
    old.forEach(
        (id, document) -> {
          store.delete(operation, kind.stored, UserStore.byId(id));
          audit.event(kind.dropped, client, RestoredDocuments.nameOf(document), 0);
        });
  }

  /** As in MongoDB one that is there already is no error: mongorestore goes on. */
  private boolean insert(OperationContext operation, Kind kind, String id, RawDocument document) {
    try {
      store.insert(operation, kind.stored, document);
      return true;
    } catch (CommandException e) {
      if (e.code() != ErrorCode.DUPLICATE_KEY) {
        throw e;
      }
      log.warn(
          NOT_RESTORED_LOG_ID,
          "A user or role is not restored, because it exists",
          "collection",
          kind.stored.full(),
          "id",
          id);
      return false;
    }
  }

  private void tell(AuditAction action, ClientConnection client, RawDocument document) {
    if (audit.isOn()) {
      var param = new BsonBuilder().appendAll(RestoredDocuments.nameOf(document));
      for (String field : RestoredDocuments.SHOWN) {
        RawValue value = document.get(field);
        if (value != null) {
          param.append(field, value);
        }
      }
      audit.event(action, client, param.toDocument(), 0);
    }
  }
}
