package dev.wisent.server.harness;

import dev.wisent.base.RandomSource;
import dev.wisent.security.UserName;
import dev.wisent.security.user.User;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.access.ClusterIdentity;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.access.UserDirectory;
import java.util.List;
import java.util.Optional;

/** Access control with the defaults of all parameters, outside of any cluster. */
public final class TestAccess {
  /** No users. */
  public static final UserDirectory NO_USERS =
      new UserDirectory() {
        @Override
        public Optional<User> find(UserName name) {
          return Optional.empty();
        }

        @Override
        public boolean hasUsers() {
          return false;
        }

        @Override
        public void invalidate() {}

        @Override
        public long failedReads() {
          return 0;
        }
      };

  private TestAccess() {}

  /** Any client may do everything. */
  public static AccessControl open() {
    return of(false, NO_USERS);
  }

  /** Clients have to log in. */
  public static AccessControl closed(UserDirectory users) {
    return of(true, users);
  }

  private static AccessControl of(boolean isEnabled, UserDirectory users) {
    var cluster =
        new ClusterIdentity(
            List.of(), ClusterAuthMode.KEY_FILE, Optional::empty, RandomSource.system());
    return new AccessControl(isEnabled, users, LoginSettings.defaults(), cluster);
  }
}
