package dev.wisent.server.authorization;

import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;

/** What a command needs. */
@FunctionalInterface
interface AccessRule {
  /**
   * Whether a command may run. Arguments that the command itself complains about need not be
   * allowed or refused here; they only must not let one through that does something else.
   */
  boolean allows(CommandRequest request, Principal principal);
}
