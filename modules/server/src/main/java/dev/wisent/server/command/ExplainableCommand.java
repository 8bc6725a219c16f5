package dev.wisent.server.command;

import dev.wisent.operation.Explainable;

/** A command that explain can tell about. */
public interface ExplainableCommand extends Command {
  /** Reads and checks the arguments of the command without running it. */
  Explainable parseForExplain(CommandRequest request, CommandContext context);
}
