package dev.wisent.replication.member;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.Objects;

/** Logs that call each other within a process cannot be called from outside of it. */
final class LogProcess {
  private LogProcess() {}

  /**
   * Refuses to let two nodes be members of one set whose logs cannot call each other.
   *
   * @param own null if the log is called over a network
   * @param other likewise
   */
  static void check(String own, String other) {
    if (!Objects.equals(own, other)) {
      throw new CommandException(
          ErrorCode.NEW_REPLICA_SET_CONFIGURATION_INCOMPATIBLE,
          "Members that were started together within a Java process replicate there, and not over"
              + " the network: other members cannot be added to their set. Start them with"
              + " options -> options.logOverNetwork() for that");
    }
  }
}
