package dev.wisent.server.access;

/**
 * Whether clients need privileges here, and the users that have some.
 *
 * @param isEnabled whether commands of clients without a login are refused
 * @param localhost what clients on this machine may do before there are users
 * @param logins the parameters of logins
 * @param counters how many logins there were
 * @param cluster by what members of this cluster are known
 */
public record AccessControl(
    boolean isEnabled,
    UserDirectory users,
    LocalhostException localhost,
    LoginSettings logins,
    LoginCounters counters,
    ClusterIdentity cluster) {
  public AccessControl(
      boolean isEnabled, UserDirectory users, LoginSettings logins, ClusterIdentity cluster) {
    this(
        isEnabled,
        users,
        new LocalhostException(users, logins.localhostBypass()),
        logins,
        new LoginCounters(logins.mechanisms()),
        cluster);
  }
}
