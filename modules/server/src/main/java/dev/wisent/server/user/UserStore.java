package dev.wisent.server.user;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.role.RoleDefinition;
import dev.wisent.security.role.RoleDocument;
import dev.wisent.security.role.RoleGraph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The collections that have users and roles. */
final class UserStore {
  static final Namespace USERS = new Namespace("admin", "system.users");
  static final Namespace ROLES = new Namespace("admin", "system.roles");

  private final Operations operations;

  UserStore(Operations operations) {
    this.operations = operations;
  }

  Optional<RawDocument> user(OperationContext operation, UserName name) {
    return find(operation, USERS, byId(name.id())).stream().findFirst();
  }

  List<RawDocument> users(OperationContext operation, RawDocument filter) {
    return find(operation, USERS, filter);
  }

  List<RawDocument> roles(OperationContext operation, RawDocument filter) {
    return find(operation, ROLES, filter);
  }

  Map<RoleName, RoleDefinition> roles(OperationContext operation, Collection<RoleName> names) {
    var found = new LinkedHashMap<RoleName, RoleDefinition>();
    for (RawDocument each :
        find(operation, ROLES, byIds(names.stream().map(RoleName::id).toList()))) {
      RoleDefinition role = RoleDocument.parse(each);
      found.put(role.name(), role);
    }
    return found;
  }

  RoleGraph graph(OperationContext operation) {
    return new RoleGraph(names -> roles(operation, names));
  }

  /** Whether there is a user or a role. */
  boolean hasAny(OperationContext operation) {
    return !find(operation, USERS, RawDocument.EMPTY, 1).isEmpty()
        || !find(operation, ROLES, RawDocument.EMPTY, 1).isEmpty();
  }

  static RawDocument byId(String id) {
    return new BsonBuilder().appendString("_id", id).toDocument();
  }

  static RawDocument byIds(List<String> ids) {
    var filter = new BsonBuilder();
    filter.startDocument("_id").startArray("$in");
    for (int at = 0; at < ids.size(); at++) {
      filter.append(at, RawValue.ofString(ids.get(at)));
    }
    return filter.end().end().toDocument();
  }

  static RawDocument byDatabase(String database) {
    return new BsonBuilder().appendString("db", database).toDocument();
  }

  /** Those of any collection. */
  List<RawDocument> documents(OperationContext operation, Namespace of, RawDocument filter) {
    return find(operation, of, filter);
  }

  private List<RawDocument> find(OperationContext operation, Namespace of, RawDocument filter) {
    return find(operation, of, filter, 0);
  }

  private List<RawDocument> find(
      OperationContext operation, Namespace of, RawDocument filter, long limit) {
    FindRequest request = new FindRequest.Builder().filter(filter).limit(limit).build(of);
    var documents = new ArrayList<RawDocument>();
    try (ResultCursor found = operations.find(operation, request)) {
      for (RawDocument each = found.peek(); each != null; each = found.peek()) {
        documents.add(each.detached());
        found.take();
      }
    }
    return documents;
  }

  void insert(OperationContext operation, Namespace into, RawDocument document) {
    done(operations.insert(operation, new InsertRequest(into, List.of(document), true, true)));
  }

  /** Puts a document in the place of the one with its {@code _id}; tells whether there is one. */
  boolean replace(OperationContext operation, Namespace in, RawDocument document) {
    RawDocument query = byId(document.get("_id").asString());
    return update(operation, in, query, document, false) > 0;
  }

  /** Changes all that match; returns how many. */
  long updateAll(
      OperationContext operation, Namespace in, RawDocument query, RawDocument modifiers) {
    return update(operation, in, query, modifiers, true);
  }

  private long update(
      OperationContext operation,
      Namespace in,
      RawDocument query,
      RawDocument update,
      boolean multi) {
    var statement =
        new UpdateStatement(
            query, RawValue.ofDocument(update), multi, false, List.of(), RawDocument.EMPTY, null);
    var request = new UpdateRequest(in, List.of(statement), true, true);
    return done(operations.update(operation, request)).matched();
  }

  /** Deletes all that match; returns how many. */
  long delete(OperationContext operation, Namespace from, RawDocument query) {
    var request = new DeleteRequest(from, List.of(new DeleteStatement(query, true, null)), true);
    return done(operations.delete(operation, request)).matched();
  }

  private static WriteOutcome done(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
    return outcome;
  }
}
