package dev.wisent.server.authorization;

import dev.wisent.bson.RawValue;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.privilege.Principal;
import java.util.function.BiPredicate;

/** {@code explain} needs what the command inside needs. */
final class ExplainRule implements AccessRule {
  private final BiPredicate<CommandRequest, Principal> mayRun;

  /**
   * @param mayRun whether a command may run
   */
  ExplainRule(BiPredicate<CommandRequest, Principal> mayRun) {
    this.mayRun = mayRun;
  }

  @Override
  public boolean allows(CommandRequest request, Principal principal) {
    RawValue inner = request.argument();
    return !inner.isDocument() || mayRun.test(request.explained(inner.asDocument()), principal);
  }
}
