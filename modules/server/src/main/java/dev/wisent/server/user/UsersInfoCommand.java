package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.PrivilegeDocument;
import dev.wisent.security.role.ResolvedRoles;
import dev.wisent.security.role.RoleGraph;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.RestrictionDocument;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** {@code usersInfo}: users as they are stored, their credentials only if asked for. */
final class UsersInfoCommand implements Command {
  private static final String CREDENTIALS = "credentials";
  private static final String CUSTOM_DATA = "customData";

  private final UserStore store;

  UsersInfoCommand(UserStore store) {
    this.store = store;
  }

  /** What is to be shown. */
  private record Options(
      boolean privileges,
      boolean credentials,
      boolean restrictions,
      boolean customData,
      RawDocument filter) {
    static Options parse(CommandRequest request) {
      boolean privileges = false;
      boolean credentials = false;
      boolean restrictions = false;
      boolean customData = true;
      RawDocument filter = null;
      ArgumentReader reader = ArgumentReader.of(request);
      while (reader.next()) {
        switch (reader.name()) {
          case "showPrivileges" -> privileges = reader.bool();
          case "showCredentials" -> credentials = reader.bool();
          case "showAuthenticationRestrictions" -> restrictions = reader.bool();
          case "showCustomData" -> customData = reader.bool();
          case "filter" -> filter = reader.document();
          default -> reader.unknown();
        }
      }
      return new Options(privileges, credentials, restrictions, customData, filter);
    }
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    InfoTarget<UserName> target = InfoTarget.of(request, true, RoleNames::parseUser);
    Options options = Options.parse(request);
    OperationContext operation = context.operation();
    boolean details = options.privileges || options.restrictions;
    if (details && (options.filter != null || !target.isExact())) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "Privilege or restriction details require exact-match usersInfo queries");
    }
    List<RawDocument> users =
        store.users(operation, filter(target, request.database())).stream()
            .sorted(
                Comparator.comparing((RawDocument user) -> UserDocument.name(user).user())
                    .thenComparing(user -> UserDocument.name(user).database()))
            .toList();
    var shown = new ArrayList<RawDocument>();
    RoleGraph graph = store.graph(operation);
    for (RawDocument user : users) {
      shown.add(details ? detailed(user, options, graph) : plain(user, options));
    }
    if (options.filter != null) {
      MatchExpression wanted = MatchParser.parse(options.filter, QueryContexts.of(operation));
      shown.removeIf(user -> !wanted.matches(user));
    }
    reply.startArray("users");
    for (int at = 0; at < shown.size(); at++) {
      reply.appendDocument(at, shown.get(at));
    }
    reply.end();
  }

  private static RawDocument filter(InfoTarget<UserName> target, String database) {
    if (target.isExact()) {
      return UserStore.byIds(target.exact().stream().map(UserName::id).toList());
    }
    return target.allDatabases() ? RawDocument.EMPTY : UserStore.byDatabase(database);
  }

  private static RawDocument plain(RawDocument user, Options options) {
    var out = new BsonBuilder();
    for (ElementCursor each = user.elements(); each.next(); ) {
      boolean shown =
          switch (each.name()) {
            case CREDENTIALS -> options.credentials;
            case CUSTOM_DATA -> options.customData;
            case RestrictionDocument.FIELD -> false;
            default -> true;
          };
      if (shown) {
        out.appendElement(each);
      }
    }
    appendMechanisms(user, out);
    return out.toDocument();
  }

  private static void appendMechanisms(RawDocument user, BsonBuilder out) {
    out.startArray("mechanisms");
    int at = 0;
    for (String mechanism : UserDocument.mechanisms(user)) {
      out.append(at++, RawValue.ofString(mechanism));
    }
    out.end();
  }

  private static RawDocument detailed(RawDocument user, Options options, RoleGraph graph) {
    var out = new BsonBuilder();
    for (ElementCursor each = user.elements(); each.next(); ) {
      switch (each.name()) {
        case CREDENTIALS -> {
          appendMechanisms(user, out);
          if (options.credentials) {
            out.appendElement(each);
          }
        }
        case CUSTOM_DATA -> {
          if (options.customData) {
            out.appendElement(each);
          }
        }
        case RestrictionDocument.FIELD -> {
          if (options.restrictions) {
            out.appendElement(each);
          }
        }
        default -> out.appendElement(each);
      }
    }
    if (options.restrictions && user.get(RestrictionDocument.FIELD) == null) {
      out.startArray(RestrictionDocument.FIELD).end();
    }
    List<RoleName> roles = UserDocument.roles(user);
    ResolvedRoles given = graph.resolve(roles);
    RoleNames.writeAll("inheritedRoles", given.with(roles), out);
    PrivilegeDocument.writeAll("inheritedPrivileges", given.grants(), out);
    RolesInfoCommand.appendRestrictions(given.restrictions(), out);
    return out.toDocument();
  }
}
