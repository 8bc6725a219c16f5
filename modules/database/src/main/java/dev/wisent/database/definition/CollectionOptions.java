package dev.wisent.database.definition;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.catalog.CollectionDefinition;

/** The options of a collection, as they are stored. */
final class CollectionOptions {
  private CollectionOptions() {}

  /** Creating what is there already, with the same options, is no error. */
  static void checkSame(CollectionDefinition existing, RawDocument wanted) {
    if (!same(existing.options(), wanted)) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS,
          "namespace "
              + existing.namespace()
              + " already exists, but with different options: "
              + existing.options().toJson());
    }
  }

  /** Whether two option documents say the same, in whatever order. */
  private static boolean same(RawDocument a, RawDocument b) {
    if (a.fieldCount() != b.fieldCount()) {
      return false;
    }
    ElementCursor fields = a.elements();
    while (fields.next()) {
      RawValue other = b.get(fields.name());
      if (other == null || ValueOrder.compare(fields.value(), other) != 0) {
        return false;
      }
    }
    return true;
  }
}
