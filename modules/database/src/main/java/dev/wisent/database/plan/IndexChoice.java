package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Index;

/** Finds the index that a query names by its hint, and checks what min and max say about it. */
final class IndexChoice {
  private IndexChoice() {}

  /** The direction of a {@code {$natural: ±1}} hint; 0 for every other. */
  static int natural(RawValue hint) {
    if (hint == null || !hint.isDocument()) {
      return 0;
    }
    ElementCursor first = hint.elements();
    if (!first.next() || !first.name().equals(Query.NATURAL)) {
      return 0;
    }
    return first.value().isNumber() && first.value().toLong() < 0 ? -1 : 1;
  }

  static Index hinted(Collection collection, RawValue hint) {
    for (Index index : collection.indexes()) {
      boolean fits =
          hint.isString()
              ? index.name().equals(hint.asString())
              : hint.isDocument() && sameKeys(index.definition().key(), hint.asDocument());
      if (fits && !index.isHidden()) {
        return index;
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        "error processing query: planner returned error :: caused by :: hint provided does not"
            + " correspond to an existing index");
  }

  private static boolean sameKeys(RawDocument pattern, RawDocument hint) {
    return ValueText.of(pattern).equals(ValueText.of(hint)) || ValueOrder.equal(pattern, hint);
  }

  static CommandException hintMissing() {
    return new CommandException(
        ErrorCode.HINT_REQUIRED_FOR_MIN_MAX,
        "Planner returned error: When using min()/max() a hint of which index to use must be"
            + " provided");
  }

  /** Min and max have exactly the fields of the index, in its order. */
  static void checkFields(Index index, RawDocument values, String option) {
    if (values == null) {
      return;
    }
    ElementCursor fields = values.elements();
    boolean fits = index.kind() == Index.Kind.ORDERED;
    for (int i = 0; fits && i < index.fieldCount(); i++) {
      fits = fields.next() && fields.name().equals(index.path(i).dotted());
    }
    if (!fits || fields.next()) {
      throw new CommandException(
          ErrorCode.HINT_DOES_NOT_FIT_MIN_MAX,
          "Planner returned error: The index chosen is not compatible with " + option + "()");
    }
  }
}
