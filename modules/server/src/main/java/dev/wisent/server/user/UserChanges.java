package dev.wisent.server.user;

import dev.wisent.operation.OperationContext;
import dev.wisent.server.access.UserDirectory;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Has changes of users and roles follow each other, each of them reading what it changes. */
final class UserChanges {
  private final Lock lock = new ReentrantLock();
  private final UserDirectory users;

  UserChanges(UserDirectory users) {
    this.users = users;
  }

  /** Also where it fails, the change may have been made. */
  void run(OperationContext operation, Runnable change) {
    operation.acquire(lock);
    try {
      change.run();
    } finally {
      lock.unlock();
      users.invalidate();
    }
  }
}
