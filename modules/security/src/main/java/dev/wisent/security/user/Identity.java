package dev.wisent.security.user;

import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import java.util.Objects;

/**
 * As whom a connection has logged in.
 *
 * @param mechanism by which, such as {@code SCRAM-SHA-256}
 * @param userId the stored user's own id; null where it has none
 */
public record Identity(UserName user, String mechanism, RawValue userId) {
  /** Of one that is not stored, or without an id. */
  public Identity(UserName user, String mechanism) {
    this(user, mechanism, null);
  }

  /** Whether a user is the one that has logged in, and not another one that got its name. */
  public boolean isOf(User stored) {
    return user.equals(stored.name()) && Objects.equals(userId, stored.id());
  }

  /** Whether it is another member of this cluster, which may do everything. */
  public boolean isInternal() {
    return user.equals(UserName.SYSTEM);
  }
}
