package dev.wisent.bench.store;

/** A top-level field that is indexed or asked for, with the type that PostgreSQL has to know. */
public record Field(String name, Type type) {
  /** What values a field has. Numbers and dates are given as {@code long}. */
  public enum Type {
    INTEGER,
    /** Milliseconds since 1970; a date in BSON, a number in JSON. */
    DATE,
    TEXT,
    /** Text that is indexed by its words; an index on it is on nothing else. */
    PROSE,
    /** A point on the earth; an index on it is on nothing else. */
    PLACE
  }

  public static Field integer(String name) {
    return new Field(name, Type.INTEGER);
  }

  public static Field date(String name) {
    return new Field(name, Type.DATE);
  }

  public static Field prose(String name) {
    return new Field(name, Type.PROSE);
  }

  public static Field place(String name) {
    return new Field(name, Type.PLACE);
  }

  public static Field text(String name) {
    return new Field(name, Type.TEXT);
  }
}
