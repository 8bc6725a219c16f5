package dev.wisent.cli;

import java.util.OptionalLong;

/** What the command line needs of a server once it runs. */
interface RunningServer extends AutoCloseable {
  /** The port that it listens on. */
  int port();

  /** How many changes it took from its log because it had not been closed; empty if it had. */
  OptionalLong recoveredChanges();

  /** Asks it to stop and returns at once. */
  void requestStop();

  /** Waits until it is asked to stop: by a signal, or by a client's {@code shutdown} command. */
  void awaitStop();

  /** Finishes what is under way and closes the data. */
  @Override
  void close();
}
