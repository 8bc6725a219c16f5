package dev.wisent.base.log;

/** How bad an event is, worst first. */
public enum LogSeverity {
  FATAL("F"),
  ERROR("E"),
  WARNING("W"),
  INFO("I"),
  DEBUG_1("D1"),
  DEBUG_2("D2"),
  DEBUG_3("D3"),
  DEBUG_4("D4"),
  DEBUG_5("D5");

  private static final LogSeverity[] DEBUG = {DEBUG_1, DEBUG_2, DEBUG_3, DEBUG_4, DEBUG_5};

  private final String code;

  LogSeverity(String code) {
    this.code = code;
  }

  /** The letter in a line's {@code s} field. */
  public String code() {
    return code;
  }

  static LogSeverity debug(int level) {
    return DEBUG[level - 1];
  }
}
