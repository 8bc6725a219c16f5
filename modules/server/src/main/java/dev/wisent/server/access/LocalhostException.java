package dev.wisent.server.access;

import dev.wisent.base.CommandException;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.security.privilege.Grant;
import dev.wisent.security.privilege.GrantedPrivileges;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import dev.wisent.server.connection.ClientConnection;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * What a client on this machine may do without a login while there are no users: create the first
 * one, and initiate the set or add the shards where that user is to be. The first user or role ends
 * it, for the life of the process. Thread-safe.
 */
public final class LocalhostException {
  /** As MongoDB has them. */
  private static final GrantedPrivileges GRANTED =
      GrantedPrivileges.of(
          List.of(
              new Grant(
                  new Collections("admin", ""), Set.of(Action.CREATE_USER, Action.GRANT_ROLE)),
              new Grant(new Collections(UserName.EXTERNAL, ""), Set.of(Action.CREATE_USER)),
              new Grant(
                  new Cluster(),
                  Set.of(
                      Action.ADD_SHARD, Action.REPL_SET_CONFIGURE, Action.REPL_SET_GET_STATUS))));

  private final UserDirectory users;
  private volatile boolean ended;

  /**
   * @param isEnabled the parameter {@code enableLocalhostAuthBypass}
   */
  public LocalhostException(UserDirectory users, boolean isEnabled) {
    this.users = users;
    this.ended = !isEnabled;
  }

  /** What a client without a login may do. */
  public GrantedPrivileges granted(ClientConnection client) {
    return isLocal(client.remoteAddress()) && isActive() ? GRANTED : GrantedPrivileges.NONE;
  }

  private boolean isActive() {
    if (ended) {
      return false;
    }
    try {
      ended = users.hasUsers();
      return !ended;
    } catch (CommandException unreadable) {
      // Whether there are users is not known: closed as long as that lasts.
      return false;
    }
  }

  private static boolean isLocal(String remoteAddress) {
    int portAt = remoteAddress.lastIndexOf(':');
    String host = portAt < 0 ? remoteAddress : remoteAddress.substring(0, portAt);
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }
}
