package dev.wisent.security;

import java.util.Objects;

/** A user by name and by the database that it was created in. */
public record UserName(String user, String database) {
  /** What other members of a cluster log in as. */
  public static final UserName SYSTEM = new UserName("__system", "local");

  /** The database of users that certificates name. */
  public static final String EXTERNAL = "$external";

  public UserName {
    Objects.requireNonNull(user);
    Objects.requireNonNull(database);
  }

  /** As {@code _id} of {@code admin.system.users} has it. */
  public String id() {
    return database + "." + user;
  }

  /** {@code user@database}, as error messages show it. */
  @Override
  public String toString() {
    return user + "@" + database;
  }
}
