package dev.wisent.tools.command;

/**
 * A flag of a tool.
 *
 * @param name without the dashes
 * @param letter of the short form, or 0 for none
 * @param value how the help calls the value; empty for switches
 * @param help empty for a second name that the help does not show
 */
public record FlagSpec(String name, char letter, Kind kind, String value, String help) {
  /** What may follow. */
  public enum Kind {
    /** Nothing, or {@code =true} or {@code =false}. */
    SWITCH,
    /** A value; of several the last one counts. */
    VALUE,
    /** A value; the flag may be repeated. */
    LIST,
    /** A value after an equals sign, or none. */
    OPTIONAL,
    /** Nothing; how often it is there counts. Or a number after an equals sign. */
    COUNT
  }

  public static FlagSpec on(String name, String help) {
    return new FlagSpec(name, (char) 0, Kind.SWITCH, "", help);
  }

  public static FlagSpec value(String name, String value, String help) {
    return new FlagSpec(name, (char) 0, Kind.VALUE, value, help);
  }

  public static FlagSpec list(String name, String value, String help) {
    return new FlagSpec(name, (char) 0, Kind.LIST, value, help);
  }

  public static FlagSpec optional(String name, String value, String help) {
    return new FlagSpec(name, (char) 0, Kind.OPTIONAL, value, help);
  }

  public static FlagSpec count(String name, String help) {
    return new FlagSpec(name, (char) 0, Kind.COUNT, "", help);
  }

  /** With a short form. */
  public FlagSpec letter(char shortName) {
    return new FlagSpec(name, shortName, kind, value, help);
  }

  /** A second name of the same kind, which the help does not show. */
  public FlagSpec alias(String otherName) {
    return new FlagSpec(otherName, (char) 0, kind, value, "");
  }

  boolean takesValue() {
    return kind == Kind.VALUE || kind == Kind.LIST;
  }
}
