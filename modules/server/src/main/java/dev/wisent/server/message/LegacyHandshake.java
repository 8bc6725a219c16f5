package dev.wisent.server.message;

import java.util.Set;

/** Commands that may still come as OP_QUERY: what clients send before they know the server. */
final class LegacyHandshake {
  private static final Set<String> COMMANDS =
      Set.of(
          "hello",
          "isMaster",
          "ismaster",
          "buildInfo",
          "buildinfo",
          "saslStart",
          "saslContinue",
          "authenticate");

  private LegacyHandshake() {}

  static boolean allows(String command) {
    return COMMANDS.contains(command);
  }
}
