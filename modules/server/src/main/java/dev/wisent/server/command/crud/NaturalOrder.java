package dev.wisent.server.command.crud;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;

/** {@code $natural}, the order in which documents lie, in a sort or a hint. */
final class NaturalOrder {
  private static final String NATURAL = "$natural";

  private NaturalOrder() {}

  /** A sort that is this order or has nothing to do with it. */
  static RawDocument checkSort(RawDocument sort) {
    if (sort.get(NATURAL) != null && sort.fieldCount() > 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Cannot include '$natural' in compound sort: " + ValueText.of(sort));
    }
    checkDirection("sort", sort);
    return sort;
  }

  static void checkDirection(String argument, RawDocument document) {
    RawValue direction = document.get(NATURAL);
    if (direction != null && (!direction.isNumber() || Math.abs(direction.toDouble()) != 1)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "$natural " + argument + " cannot be set to a value other than -1 or 1.");
    }
  }
}
