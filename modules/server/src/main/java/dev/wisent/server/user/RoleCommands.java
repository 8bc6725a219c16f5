package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.role.RoleDefinition;
import dev.wisent.security.role.RoleDocument;
import dev.wisent.security.role.RoleGraph;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.role.RolePrivileges;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BiConsumer;

/** The commands that change roles. */
final class RoleCommands {
  private static final Namespace USERS = UserStore.USERS;
  private static final Namespace ROLES = UserStore.ROLES;

  private final UserStore store;
  private final UserChanges changes;

  RoleCommands(UserStore store, UserChanges changes) {
    this.store = store;
    this.changes = changes;
  }

  void create(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = name(request);
    RoleOptions options = RoleOptions.parse(request);
    List<Grant> grants =
        options.grants().orElseThrow(() -> ArgumentTypes.missing("createRole.privileges"));
    List<RoleName> roles =
        options.roles().orElseThrow(() -> ArgumentTypes.missing("createRole.roles"));
    checkNew(name);
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          store.graph(operation).checkGrant(name, roles);
          RoleGraph.checkReach(name, grants);
          var role =
              new RoleDefinition(
                  name, roles, grants, options.restrictions().orElse(List.of()), false);
          insert(operation, role);
        });
  }

  private static void checkNew(RoleName name) {
    if (name.role().isEmpty()) {
      throw UserOptions.bad("Role name must be non-empty");
    }
    if (name.database().equals("local")) {
      throw UserOptions.bad("Cannot create roles in the local database");
    }
    if (name.database().equals(UserName.EXTERNAL)) {
      throw UserOptions.bad("Cannot create roles in the $external database");
    }
    if (BuiltinRoles.contains(name)) {
      throw UserOptions.bad("Cannot create roles with the same name as a built-in role");
    }
  }

  private void insert(OperationContext operation, RoleDefinition role) {
    try {
      store.insert(operation, ROLES, RoleDocument.write(role));
    } catch (CommandException e) {
      if (e.code() == ErrorCode.DUPLICATE_KEY) {
        throw new CommandException(
            ErrorCode.ROLE_EXISTS, "Role \"" + role.name() + "\" already exists");
      }
      throw e;
    }
  }

  void update(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = name(request);
    RoleOptions options = RoleOptions.parse(request);
    if (options.isEmpty()) {
      throw UserOptions.bad("Must specify at least one field to update in updateRole");
    }
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          RoleGraph graph = store.graph(operation);
          graph.requireAll(List.of(name));
          options.roles().ifPresent(roles -> graph.checkGrant(name, roles));
          options.grants().ifPresent(grants -> RoleGraph.checkReach(name, grants));
          change(
              operation,
              name,
              (role, stored) -> {
                options.grants().ifPresent(stored::setPrivileges);
                options.roles().ifPresent(stored::setRoles);
                options.restrictions().ifPresent(stored::setRestrictions);
              });
        });
  }

  void grantPrivileges(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = custom(request);
    List<Grant> added = RoleOptions.privilegesOf(request);
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          RoleGraph.checkReach(name, added);
          change(
              operation,
              name,
              (role, stored) ->
                  stored.setPrivileges(
                      new RolePrivileges().add(role.grants()).add(added).grants()));
        });
  }

  void revokePrivileges(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = custom(request);
    List<Grant> removed = RoleOptions.privilegesOf(request);
    changes.run(
        context.operation(),
        () ->
            change(
                context.operation(),
                name,
                (role, stored) ->
                    stored.setPrivileges(
                        new RolePrivileges().add(role.grants()).remove(removed).grants())));
  }

  void grantRoles(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = custom(request);
    List<RoleName> added = UserCommands.rolesOf(request);
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          store.graph(operation).checkGrant(name, added);
          change(
              operation,
              name,
              (role, stored) -> {
                var roles = new LinkedHashSet<>(role.roles());
                roles.addAll(added);
                stored.setRoles(roles);
              });
        });
  }

  void revokeRoles(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = custom(request);
    List<RoleName> removed = UserCommands.rolesOf(request);
    changes.run(
        context.operation(),
        () ->
            change(
                context.operation(),
                name,
                (role, stored) ->
                    stored.setRoles(
                        role.roles().stream().filter(each -> !removed.contains(each)).toList())));
  }

  private void change(
      OperationContext operation, RoleName name, BiConsumer<RoleDefinition, StoredFields> change) {
    RawDocument stored =
        store.roles(operation, UserStore.byId(name.id())).stream()
            .findFirst()
            .orElseThrow(
                () ->
                    new CommandException(ErrorCode.ROLE_NOT_FOUND, "Role " + name + " not found"));
    var fields = new StoredFields(stored);
    change.accept(RoleDocument.parse(stored), fields);
    store.replace(operation, ROLES, fields.document());
  }

  /**
   * Users and other roles lose the role first: when the command is interrupted, and sent again,
   * there is never one that has a role which does not exist.
   */
  void drop(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RoleName name = custom(request);
    UserCommands.refuseOptions(request);
    OperationContext operation = context.operation();
    changes.run(
        operation,
        () -> {
          store.graph(operation).requireAll(List.of(name));
          removeFromAll(operation, RoleNames.document(name));
          store.delete(operation, ROLES, UserStore.byId(name.id()));
        });
  }

  void dropAll(CommandRequest request, CommandContext context, BsonBuilder reply) {
    UserCommands.refuseOptions(request);
    OperationContext operation = context.operation();
    changes.run(operation, () -> dropAll(request.database(), operation, reply));
  }

  private void dropAll(String database, OperationContext operation, BsonBuilder reply) {
    RawDocument all = UserStore.byDatabase(database);
    for (RawDocument role : store.roles(operation, all)) {
      removeFromAll(operation, RoleNames.document(RoleDocument.parse(role).name()));
    }
    reply.appendInt32("n", (int) store.delete(operation, ROLES, all));
  }

  private void removeFromAll(OperationContext operation, RawDocument role) {
    RawDocument having = new BsonBuilder().appendDocument("roles", role).toDocument();
    RawDocument pull = new BsonBuilder().appendDocument("$pull", having).toDocument();
    store.updateAll(operation, USERS, having, pull);
    store.updateAll(operation, ROLES, having, pull);
  }

  private static RoleName name(CommandRequest request) {
    String role = ArgumentTypes.string(request.pathOfArgument(), request.argument());
    return new RoleName(role, request.database());
  }

  private static RoleName custom(CommandRequest request) {
    RoleName name = name(request);
    if (BuiltinRoles.contains(name)) {
      throw UserOptions.bad(name + " is a built-in role and cannot be modified");
    }
    return name;
  }
}
