package dev.wisent.security.user;

import java.util.List;

/**
 * Where a user may log in from and to. Both lists have addresses and ranges in CIDR notation; an
 * empty one allows all.
 */
public record AuthenticationRestriction(List<String> clientSources, List<String> serverAddresses) {
  public AuthenticationRestriction {
    clientSources = List.copyOf(clientSources);
    serverAddresses = List.copyOf(serverAddresses);
  }
}
