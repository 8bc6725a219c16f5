package dev.wisent.server.authentication;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.security.RoleName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.PrivilegeDocument;
import dev.wisent.security.privilege.ResourcePattern;
import dev.wisent.security.user.Identity;
import dev.wisent.security.user.User;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.topology.TopologyIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** {@code connectionStatus}: as whom a connection is logged in, and what it may do. */
public final class ConnectionStatusCommand implements Command {
  private final UserDirectory users;
  private final TopologyIdentity process;

  public ConnectionStatusCommand(UserDirectory users, TopologyIdentity process) {
    this.users = users;
    this.process = process;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean showsPrivileges = false;
    ArgumentReader arguments = ArgumentReader.of(request);
    while (arguments.next()) {
      if (arguments.name().equals("showPrivileges")) {
        showsPrivileges = arguments.bool();
      } else {
        arguments.unknown();
      }
    }
    Identity identity = context.client().identity().orElse(null);
    User user = identity == null ? null : users.find(identity.user()).orElse(null);
    reply.startDocument("authInfo");
    reply.startArray("authenticatedUsers");
    if (identity != null) {
      reply.startDocument(0);
      reply.appendString("user", identity.user().user());
      reply.appendString("db", identity.user().database());
      reply.end();
    }
    reply.end();
    appendRoles(user == null ? Set.of() : user.inheritedRoles(), reply);
    if (showsPrivileges) {
      PrivilegeDocument.writeAll(
          "authenticatedUserPrivileges",
          user == null ? List.of() : merged(user.privileges().grants()),
          reply);
    }
    reply.end();
    String connection = process.processId() + " " + context.client().id();
    reply.appendUuid("uuid", UUID.nameUUIDFromBytes(connection.getBytes(StandardCharsets.UTF_8)));
  }

  private static void appendRoles(Set<RoleName> roles, BsonBuilder reply) {
    reply.startArray("authenticatedUserRoles");
    int count = 0;
    for (RoleName role :
        roles.stream()
            .sorted(Comparator.comparing(RoleName::database).thenComparing(RoleName::role))
            .toList()) {
      reply.startDocument(count++);
      reply.appendString("role", role.role()).appendString("db", role.database());
      reply.end();
    }
    reply.end();
  }

  /** Roles overlap: each resource once. */
  private static List<Grant> merged(List<Grant> grants) {
    Map<ResourcePattern, EnumSet<Action>> actions = new LinkedHashMap<>();
    for (Grant grant : grants) {
      actions
          .computeIfAbsent(grant.resource(), resource -> EnumSet.noneOf(Action.class))
          .addAll(grant.actions());
    }
    return actions.entrySet().stream()
        .map(entry -> new Grant(entry.getKey(), entry.getValue()))
        .toList();
  }
}
