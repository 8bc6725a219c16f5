package dev.wisent.server.command;

/** In which states a member of a replica set runs a command. */
public enum RunsOn {
  /** On the primary alone: commands that write. */
  PRIMARY,
  /** On the primary, and on a secondary if the client allows it: reads. */
  SECONDARY_IF_ALLOWED,
  /** On the primary and on a secondary, as it goes on with what was allowed before. */
  SECONDARY,
  /** Always. */
  ANY_STATE
}
