package dev.wisent.query.collation;

import dev.wisent.bson.RawDocument;

/**
 * What an operation says about its collation: nothing, so that it takes that of the collection, or
 * which one, the simple one included.
 */
public final class CollationChoice {
  /** The collection's. */
  public static final CollationChoice INHERITED = new CollationChoice(false, null);

  private final boolean given;
  private final Collation collation;

  private CollationChoice(boolean given, Collation collation) {
    this.given = given;
    this.collation = collation;
  }

  /** From a collation document; an empty one says nothing. */
  public static CollationChoice of(RawDocument document) {
    return document.isEmpty() ? INHERITED : new CollationChoice(true, Collation.parse(document));
  }

  public boolean isInherited() {
    return !given;
  }

  /**
   * The collation to use.
   *
   * @param ofCollection null for the simple one, as the result
   */
  public Collation or(Collation ofCollection) {
    return given ? collation : ofCollection;
  }
}
