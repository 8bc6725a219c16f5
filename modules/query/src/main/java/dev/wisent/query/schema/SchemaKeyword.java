package dev.wisent.query.schema;

/**
 * One row of {@link SchemaKeywords}.
 *
 * @param parser null where the keyword makes no rule of its own
 */
public record SchemaKeyword(String name, Support support, Parser parser) {
  /** Whether a keyword works. */
  public enum Support {
    SUPPORTED,
    /** MongoDB refuses it, and so do we. */
    REFUSED,
    /** Belongs to encryption by clients, which validators here do not know. */
    ENCRYPTION
  }

  /** Reads the argument of a keyword. */
  @FunctionalInterface
  interface Parser {
    /** Returns null where there is nothing to check. */
    SchemaRule parse(Keyword keyword);
  }
}
