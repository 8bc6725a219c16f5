package dev.wisent.database.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.FindRequest;

/** What a tailable cursor can be opened on. */
final class TailableQueries {
  private TailableQueries() {}

  static void check(Collection collection, FindRequest request) {
    if (collection.capped() == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "error processing query: ns="
              + request.namespace()
              + "Tree: $and\nSort: {}\nProj: {}\n tailable cursor requested on non capped"
              + " collection");
    }
    RawValue natural = request.sort().get("$natural");
    boolean naturalOnly =
        request.sort().isEmpty() || (natural != null && natural.isNumber() && natural.toLong() > 0);
    if (!naturalOnly) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot use tailable option with a sort other than {$natural: 1}");
    }
  }
}
