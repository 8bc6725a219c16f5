package dev.wisent.security;

import java.util.Objects;

/** A role by name and by the database that it belongs to. */
public record RoleName(String role, String database) {
  public RoleName {
    Objects.requireNonNull(role);
    Objects.requireNonNull(database);
  }

  /** As {@code _id} of {@code admin.system.roles} has it. */
  public String id() {
    return database + "." + role;
  }

  /** {@code role@database}, as error messages show it. */
  @Override
  public String toString() {
    return role + "@" + database;
  }
}
