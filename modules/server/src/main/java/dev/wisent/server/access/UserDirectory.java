package dev.wisent.server.access;

import dev.wisent.security.UserName;
import dev.wisent.security.user.User;
import java.util.Optional;

/** The users of this deployment. Thread-safe; may read collections, here or on config servers. */
public interface UserDirectory {
  /** A user with its privileges, at most some seconds old; empty if there is none of the name. */
  Optional<User> find(UserName name);

  /** Whether any user or role exists: ends the localhost exception. */
  boolean hasUsers();

  /** What is known is read again before it is used next. */
  void invalidate();

  /** How often users could not be read. */
  long failedReads();
}
