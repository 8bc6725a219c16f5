package dev.wisent.cli;

/** What the process tells its parent; the numbers are {@code mongod}'s. */
enum ExitCode {
  CLEAN(0),
  /** A tool has not done all of its work. */
  FAILED(1),
  /** Flags or a configuration file that make no sense. */
  BAD_OPTIONS(2),
  /** A fault inside the server. */
  ABRUPT(14),
  /** The port is taken or the address is not ours. */
  NETWORK(48),
  /** The data was written by another version. */
  OTHER_VERSION(62),
  /** The data directory is locked, not writable, full or damaged. */
  DATA_DIRECTORY(100);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  /** The code of a process that has ended; {@link #ABRUPT} for any that is not ours. */
  static ExitCode of(int number) {
    for (ExitCode code : values()) {
      if (code.number == number) {
        return code;
      }
    }
    return ABRUPT;
  }

  int number() {
    return number;
  }
}
