package dev.wisent.server.user;

import dev.wisent.security.UserName;
import dev.wisent.security.user.User;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** What is known of one name. One thread reads it; the others use what was known meanwhile. */
final class CachedUser {
  /** Two of them are equal if nothing has changed between them. */
  record Version(Object users, Object roles) {
    boolean isSame(Version other) {
      return users == other.users && roles == other.roles;
    }
  }

  /**
   * A user, or that there is none.
   *
   * @param readNanos when it was read, or found unchanged
   * @param lookedNanos when it was tried last to do so
   */
  private record Known(
      Optional<User> user, long generation, Version version, long readNanos, long lookedNanos) {
    Known unchanged(long now) {
      return new Known(user, generation, version, now, now);
    }

    Known notRead(long now) {
      return new Known(user, generation, version, readNanos, now);
    }
  }

  private final StoredUsers users;
  private final UserName name;
  private final Lock reading = new ReentrantLock();
  private volatile Known known;

  CachedUser(StoredUsers users, UserName name) {
    this.users = users;
    this.name = name;
  }

  Optional<User> get() {
    Known current = known;
    if (current != null && isFresh(current)) {
      return current.user;
    }
    if (current == null || current.generation != users.generation()) {
      reading.lock();
    } else if (!reading.tryLock()) {
      return current.user;
    }
    try {
      return look();
    } finally {
      reading.unlock();
    }
  }

  private boolean isFresh(Known current) {
    return current.generation == users.generation()
        && users.nanos() - current.lookedNanos < StoredUsers.FRESH_NANOS;
  }

  private Optional<User> look() {
    Known current = known;
    if (current != null && isFresh(current)) {
      return current.user;
    }
    long generation = users.generation();
    CachedUser.Version version = users.version();
    long now = users.nanos();
    boolean valid = current != null && current.generation == generation;
    if (valid && current.version.isSame(version)) {
      known = current.unchanged(now);
      return current.user;
    }
    boolean usable = valid && now - current.readNanos < StoredUsers.STALE_NANOS_MAX;
    try {
      Optional<User> user = users.read(name, usable);
      known = new Known(user, generation, version, now, now);
      return user;
    } catch (RuntimeException e) {
      users.failed(name.toString(), e);
      if (usable) {
        known = current.notRead(users.nanos());
        return current.user;
      }
      throw e;
    }
  }
}
