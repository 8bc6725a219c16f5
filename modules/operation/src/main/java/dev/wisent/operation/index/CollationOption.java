package dev.wisent.operation.index;

import static dev.wisent.operation.index.IndexKeyCheck.cannotCreate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.collation.Collation;

/** Whether an index can have the collation that its specification names. */
final class CollationOption {
  private CollationOption() {}

  static void check(RawDocument collation) {
    if (collation.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "The field 'collation' cannot be an empty object.");
    }
    Collation.parse(collation);
  }

  /** Indexes of the first version are older than collations. */
  static void checkVersion(RawDocument spec, RawValue version) {
    if (spec.get("collation") != null && version != null && version.toLong() < 2) {
      throw cannotCreate(
          "Invalid index specification "
              + ValueText.of(spec)
              + "; cannot create an index with the 'collation' option and v=1");
    }
  }
}
