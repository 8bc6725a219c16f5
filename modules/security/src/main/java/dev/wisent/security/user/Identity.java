package dev.wisent.security.user;

import dev.wisent.security.UserName;

/**
 * As whom a connection has logged in.
 *
 * @param mechanism by which, such as {@code SCRAM-SHA-256}
 */
public record Identity(UserName user, String mechanism) {
  /** Whether it is another member of this cluster, which may do everything. */
  public boolean isInternal() {
    return user.equals(UserName.SYSTEM);
  }
}
