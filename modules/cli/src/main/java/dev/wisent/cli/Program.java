package dev.wisent.cli;

import java.util.Locale;

/** What a command line starts. */
enum Program {
  SERVER("Runs a data-bearing node, as mongod does."),
  ROUTER("Runs a router of a sharded cluster, as mongos does. It keeps no data.");

  private final String purpose;

  Program(String purpose) {
    this.purpose = purpose;
  }

  /** As it is typed after {@code wisent}. */
  String command() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For the help. */
  String purpose() {
    return purpose;
  }
}
