package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.operation.Namespace;
import dev.wisent.query.match.NearMatch;
import dev.wisent.query.match.TextMatch;

/** What {@code $text} needs of a query and of its collection. */
public final class TextQueries {
  private TextQueries() {}

  /**
   * The query with its {@code $text}, if it has one, bound to the text index of the collection.
   *
   * @throws CommandException if there is no such index, or the query asks for what does not go
   *     together with {@code $text}
   */
  public static Query bind(Collection collection, Query query) {
    if (TextMatch.in(query.filter()) == null) {
      return query;
    }
    Index index = find(collection);
    if (index == null) {
      throw new CommandException(ErrorCode.INDEX_NOT_FOUND, "text index required for $text query");
    }
    check(query);
    return query.withFilter(TextMatch.bind(query.filter(), index.text()));
  }

  /** The text index of a collection, of which there is one at most; null if there is none. */
  public static Index find(Collection collection) {
    return collection.indexes().stream()
        .filter(index -> index.kind() == Index.Kind.TEXT)
        .findFirst()
        .orElse(null);
  }

  private static void check(Query query) {
    if (NearMatch.of(query.filter()) != null) {
      throw badValue("text and geoNear not allowed in same query");
    }
    if (query.isNaturalSort()) {
      throw badValue("text expression not allowed with $natural sort order");
    }
    if (query.hint() != null) {
      throw badValue("text and hint not allowed in same query");
    }
    if (query.tailable()) {
      throw badValue("text and tailable cursor not allowed in same query");
    }
  }

  private static CommandException badValue(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }

  /** Refuses a query that searches for text where there is no collection. */
  public static void checkMissing(Namespace namespace, Query query) {
    if (TextMatch.in(query.filter()) != null) {
      throw new CommandException(
          ErrorCode.INDEX_NOT_FOUND,
          "text index required for $text query (no such collection '" + namespace + "')");
    }
  }
}
