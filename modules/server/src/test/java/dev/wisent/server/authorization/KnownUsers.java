package dev.wisent.server.authorization;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.RoleName;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.role.BuiltinRoles;
import dev.wisent.security.user.Identity;
import dev.wisent.security.user.User;
import dev.wisent.server.access.UserDirectory;
import dev.wisent.server.connection.ClientConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Users that a test makes. */
final class KnownUsers implements UserDirectory {
  private final Map<UserName, User> users = new HashMap<>();

  /** A user that is called as its role, in the role's database. */
  UserName withRole(RoleName role) {
    var name = new UserName(role.role(), role.database());
    put(name, Set.of(role), BuiltinRoles.find(role).orElseThrow().grants());
    return name;
  }

  UserName with(String name, Grant... grants) {
    var user = new UserName(name, "test");
    put(user, Set.of(), List.of(grants));
    return user;
  }

  /** A user with an id of its own; another one of the same name has another. */
  UserName withId(String name, int id, Grant... grants) {
    var user = new UserName(name, "test");
    RawDocument stored = RawDocument.parse("{userId: " + id + "}");
    users.put(
        user,
        new User(
            user, stored, List.of(), Set.of(), GrantedPrivileges.of(List.of(grants)), List.of()));
    return user;
  }

  /** That a connection has logged in as the user that there is now. */
  Identity identity(UserName name) {
    return new Identity(name, "SCRAM-SHA-256", users.get(name).id());
  }

  void drop(UserName name) {
    users.remove(name);
  }

  private void put(UserName name, Set<RoleName> roles, List<Grant> grants) {
    users.put(
        name,
        new User(
            name,
            RawDocument.EMPTY,
            List.copyOf(roles),
            roles,
            GrantedPrivileges.of(grants),
            List.of()));
  }

  /** A connection that has logged in. */
  static ClientConnection connection(UserName user) {
    var client = new ClientConnection(1, "10.0.0.1:1", "10.0.0.2:2", null);
    client.login(new Identity(user, "SCRAM-SHA-256"));
    return client;
  }

  @Override
  public Optional<User> find(UserName name) {
    return Optional.ofNullable(users.get(name));
  }

  @Override
  public boolean hasUsers() {
    return true;
  }

  @Override
  public void invalidate() {}

  @Override
  public long failedReads() {
    return 0;
  }
}
