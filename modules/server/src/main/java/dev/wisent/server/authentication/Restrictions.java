package dev.wisent.server.authentication;

import dev.wisent.security.user.AddressRange;
import dev.wisent.security.user.AuthenticationRestriction;
import dev.wisent.security.user.User;
import dev.wisent.server.connection.ClientConnection;
import java.util.List;

/** Where users may log in from and to. */
final class Restrictions {
  private Restrictions() {}

  /** Whether the restrictions of a user, and those of each of its roles, let a connection be it. */
  static boolean allow(User user, ClientConnection client) {
    String from = LoginAttempt.withoutPort(client.remoteAddress());
    String to = LoginAttempt.withoutPort(client.localAddress());
    for (List<AuthenticationRestriction> alternatives : user.restrictions()) {
      if (!alternatives.isEmpty()
          && alternatives.stream()
              .noneMatch(
                  each ->
                      allows(each.clientSources(), from) && allows(each.serverAddresses(), to))) {
        return false;
      }
    }
    return true;
  }

  private static boolean allows(List<String> ranges, String address) {
    if (ranges.isEmpty()) {
      return true;
    }
    try {
      return ranges.stream().anyMatch(range -> AddressRange.parse(range).contains(address));
    } catch (IllegalArgumentException notAnAddress) {
      return false;
    }
  }
}
