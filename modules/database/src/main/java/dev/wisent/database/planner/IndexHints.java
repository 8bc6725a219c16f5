package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.query.collation.Collation;
import java.util.List;

/** Finds the index that a query names by its hint, and checks what min and max say about it. */
final class IndexHints {
  private static final String ERROR =
      "error processing query: planner returned error :: caused by :: ";

  private IndexHints() {}

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
    List<Index> fitting =
        collection.indexes().stream()
            .filter(index -> !index.isHidden() && isMeant(index, hint))
            .toList();
    if (fitting.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, ERROR + "hint provided does not correspond to an existing index");
    }
    if (fitting.size() > 1) {
      throw new CommandException(
          ErrorCode.INDEX_NOT_FOUND,
          ERROR
              + "Hint matched multiple indexes, must hint by index name. Matched: "
              + ValueText.of(fitting.get(0).definition().spec())
              + " and "
              + ValueText.of(fitting.get(1).definition().spec()));
    }
    return fitting.getFirst();
  }

  private static boolean isMeant(Index index, RawValue hint) {
    return hint.isString()
        ? index.name().equals(hint.asString())
        : hint.isDocument() && sameKeys(index.definition().key(), hint.asDocument());
  }

  private static boolean sameKeys(RawDocument pattern, RawDocument hint) {
    return ValueText.of(pattern).equals(ValueText.of(hint)) || ValueOrder.equal(pattern, hint);
  }

  static CommandException hintMissing() {
    return new CommandException(
        ErrorCode.HINT_REQUIRED_FOR_MIN_MAX,
        ERROR + "When using min()/max() a hint of which index to use must be provided");
  }

  /**
   * Min and max have exactly the fields of the index, in its order, and are in its order. They have
   * strings only if the index compares them as the query does. Of a hashed field they have hashes.
   */
  static void checkEnds(Index index, RawDocument min, RawDocument max, Collation collation) {
    boolean alike = Collation.same(index.collation(), collation);
    checkFields(index, min, alike);
    checkFields(index, max, alike);
    if (min != null && max != null && !isBefore(index, min, max)) {
      throw new CommandException(
          ErrorCode.MIN_NOT_BEFORE_MAX,
          ERROR
              + "The value provided for min() does not come before the value provided for max() in"
              + " the hinted index");
    }
  }

  private static boolean isBefore(Index index, RawDocument min, RawDocument max) {
    ElementCursor lows = min.elements();
    ElementCursor highs = max.elements();
    for (int i = 0; lows.next() && highs.next(); i++) {
      int order = Collation.compare(index.collation(), lows.value(), highs.value());
      if (order != 0) {
        return (order < 0) != index.isDescending(i);
      }
    }
    return false;
  }

  private static void checkFields(Index index, RawDocument values, boolean withStrings) {
    if (values == null) {
      return;
    }
    ElementCursor fields = values.elements();
    boolean fits = index.kind() == Index.Kind.ORDERED || index.kind() == Index.Kind.HASHED;
    for (int i = 0; fits && i < index.fieldCount(); i++) {
      fits =
          fields.next()
              && fields.name().equals(index.path(i).dotted())
              && (withStrings || !Collation.affects(fields.type()));
    }
    if (!fits || fields.next()) {
      throw new CommandException(
          ErrorCode.HINT_DOES_NOT_FIT_MIN_MAX,
          ERROR + "The index chosen is not compatible with min/max");
    }
  }
}
