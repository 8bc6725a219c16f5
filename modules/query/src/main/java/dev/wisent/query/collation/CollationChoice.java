package dev.wisent.query.collation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;

/**
 * What an operation says about its collation: nothing, so that it takes that of the collection, or
 * which one, the simple one included. It is read when it is needed, so that an error in it is one
 * of the statement that it belongs to. Belongs to one thread, unlike {@link #INHERITED}.
 */
public final class CollationChoice {
  /** The collection's. */
  public static final CollationChoice INHERITED = new CollationChoice(null);

  private static final RawDocument SIMPLE =
      new BsonBuilder(32).appendString("locale", "simple").toDocument();

  private final RawDocument source;
  private Collation collation;
  private boolean parsed;

  private CollationChoice(RawDocument source) {
    this.source = source;
  }

  /**
   * Just this one, whatever the collection has.
   *
   * @param collation null for the simple one
   */
  public static CollationChoice exactly(Collation collation) {
    var choice = new CollationChoice(RawDocument.EMPTY);
    choice.collation = collation;
    choice.parsed = true;
    return choice;
  }

  /** From a collation document; an empty one says nothing. */
  public static CollationChoice of(RawDocument document) {
    return document.isEmpty() ? INHERITED : new CollationChoice(document);
  }

  public boolean isInherited() {
    return source == null;
  }

  /** As a command has it; empty if the operation says nothing. */
  public RawDocument document() {
    if (source == null) {
      return RawDocument.EMPTY;
    }
    if (!source.isEmpty()) {
      return source;
    }
    return collation == null ? SIMPLE : collation.document();
  }

  /**
   * The collation to use. Fails where the document is none.
   *
   * @param ofCollection null for the simple one, as the result
   */
  public Collation or(Collation ofCollection) {
    if (source == null) {
      return ofCollection;
    }
    if (!parsed) {
      collation = Collation.parse(source);
      parsed = true;
    }
    return collation;
  }
}
