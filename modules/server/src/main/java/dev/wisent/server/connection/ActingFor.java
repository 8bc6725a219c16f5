package dev.wisent.server.connection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.role.RoleNames;
import dev.wisent.security.user.Identity;
import dev.wisent.server.privilege.Principal;
import java.util.List;
import java.util.Optional;

/**
 * The user that a router has a command of: it goes with the command as {@code $audit}, for reports
 * and the audit log. What the command may do does not depend on it: the router has checked that.
 *
 * @param roles those of the user
 */
public record ActingFor(UserName user, List<RoleName> roles) {
  /** As an argument of a command. */
  public static final String FIELD = "$audit";

  private static final String USER = "$impersonatedUser";
  private static final String ROLES = "$impersonatedRoles";

  public ActingFor {
    roles = List.copyOf(roles);
  }

  /**
   * What a command of another member says of it; empty for any other client.
   *
   * @param command its body
   */
  public static Optional<ActingFor> of(RawDocument command, ClientConnection client) {
    if (client.identity().filter(Identity::isInternal).isEmpty()) {
      return Optional.empty();
    }
    RawValue given = command.get(FIELD);
    if (given == null || !given.isDocument()) {
      return Optional.empty();
    }
    RawValue user = given.asDocument().get(USER);
    RawValue roles = given.asDocument().get(ROLES);
    return user == null
        ? Optional.empty()
        : Optional.of(
            new ActingFor(
                RoleNames.parseUser(user, ""),
                roles == null || !roles.isArray() ? List.of() : RoleNames.parseAll(roles, "")));
  }

  /** The argument for commands that a router sends for a principal; null for one without a name. */
  public static RawDocument argument(Principal principal) {
    UserName user = principal.name().orElse(null);
    if (user == null) {
      return null;
    }
    var out = new BsonBuilder();
    out.startDocument(USER);
    out.appendString("user", user.user()).appendString("db", user.database());
    out.end();
    RoleNames.writeAll(ROLES, principal.givenRoles(), out);
    return out.toDocument();
  }
}
