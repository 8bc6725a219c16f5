package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.PrivilegeDocument;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.role.ResolvedRoles;
import dev.wisent.security.role.RoleDefinition;
import dev.wisent.security.role.RoleDocument;
import dev.wisent.security.role.RoleGraph;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.role.RolePrivileges;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.RestrictionDocument;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;

/** {@code rolesInfo}: roles, what they have, and what they inherit. */
final class RolesInfoCommand implements Command {
  private static final String AS_USER_FRAGMENT = "asUserFragment";

  private final UserStore store;

  RolesInfoCommand(UserStore store) {
    this.store = store;
  }

  /** What is to be shown. */
  private record Options(
      boolean privileges, boolean asUserFragment, boolean builtin, boolean restrictions) {
    static Options parse(CommandRequest request) {
      boolean privileges = false;
      boolean asUserFragment = false;
      boolean builtin = false;
      boolean restrictions = false;
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "showPrivileges" -> {
            asUserFragment = reader.value().isString();
            if (asUserFragment && !reader.string().equals(AS_USER_FRAGMENT)) {
              throw new CommandException(
                  ErrorCode.FAILED_TO_PARSE,
                  "Failed to parse 'showPrivileges'. '"
                      + AS_USER_FRAGMENT
                      + "' is the only allowed string, not '"
                      + reader.string()
                      + "'");
            }
            privileges = asUserFragment || reader.bool();
          }
          case "showBuiltinRoles" -> builtin = reader.bool();
          case "showAuthenticationRestrictions" -> restrictions = reader.bool();
          default -> reader.unknown();
        }
      }
      return new Options(privileges, asUserFragment, builtin, restrictions);
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    InfoTarget<RoleName> target = InfoTarget.of(request, false, RoleNames::parse);
    Options options = Options.parse(request);
    OperationContext operation = context.operation();
    RoleGraph graph = store.graph(operation);
    if (options.asUserFragment) {
      if (!target.isExact()) {
        throw new CommandException(
            ErrorCode.ILLEGAL_OPERATION, "Cannot get user fragment for all roles in a database");
      }
      appendFragment(target.exact(), options, graph, reply);
      return;
    }
    List<RoleDefinition> roles =
        target.isExact()
            ? target.exact().stream().flatMap(name -> graph.find(name).stream()).toList()
            : ofDatabase(request.database(), options, operation);
    reply.startArray("roles");
    for (int at = 0; at < roles.size(); at++) {
      reply.startDocument(at);
      append(roles.get(at), options, graph, reply);
      reply.end();
    }
    reply.end();
  }

  private List<RoleDefinition> ofDatabase(
      String database, Options options, OperationContext operation) {
    var roles = new ArrayList<RoleDefinition>();
    if (options.builtin) {
      roles.addAll(BuiltinRoles.all(database));
    }
    for (RawDocument each : store.roles(operation, UserStore.byDatabase(database))) {
      roles.add(RoleDocument.parse(each));
    }
    return roles;
  }

  private static void append(
      RoleDefinition role, Options options, RoleGraph graph, BsonBuilder out) {
    if (!role.isBuiltin()) {
      out.appendString("_id", role.name().id());
    }
    out.appendString("role", role.name().role())
        .appendString("db", role.name().database())
        .appendBoolean("isBuiltin", role.isBuiltin());
    if (options.privileges) {
      PrivilegeDocument.writeAll("privileges", role.grants(), out);
    }
    RoleNames.writeAll("roles", role.roles(), out);
    ResolvedRoles given = graph.resolve(role.roles());
    RoleNames.writeAll("inheritedRoles", given.with(role.roles()), out);
    if (options.privileges) {
      List<Grant> all = new RolePrivileges().add(role.grants()).add(given.grants()).grants();
      PrivilegeDocument.writeAll("inheritedPrivileges", all, out);
    }
    if (options.restrictions) {
      var inherited = new ArrayList<List<AuthenticationRestriction>>();
      out.startArray(RestrictionDocument.FIELD);
      if (!role.restrictions().isEmpty()) {
        inherited.add(role.restrictions());
        out.startArray(0);
        RestrictionDocument.writeElements(role.restrictions(), out);
        out.end();
      }
      out.end();
      inherited.addAll(given.restrictions());
      appendRestrictions(inherited, out);
    }
  }

  private static void appendFragment(
      List<RoleName> roles, Options options, RoleGraph graph, BsonBuilder reply) {
    ResolvedRoles given = graph.resolve(roles);
    reply.startDocument("userFragment");
    RoleNames.writeAll("roles", roles, reply);
    RoleNames.writeAll("inheritedRoles", given.with(roles), reply);
    PrivilegeDocument.writeAll("inheritedPrivileges", given.grants(), reply);
    if (options.restrictions) {
      appendRestrictions(given.restrictions(), reply);
    }
    reply.end();
  }

  static void appendRestrictions(
      List<List<AuthenticationRestriction>> restrictions, BsonBuilder out) {
    out.startArray("inheritedAuthenticationRestrictions");
    for (int at = 0; at < restrictions.size(); at++) {
      out.startArray(at);
      RestrictionDocument.writeElements(restrictions.get(at), out);
      out.end();
    }
    out.end();
  }
}
