package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.definition.IndexModification;
import dev.wisent.operation.index.ExpireAfterSeconds;
import dev.wisent.server.command.ArgumentReader;

/** The {@code index} argument of collMod: which index, and what is to change about it. */
final class IndexModificationArgument {
  private String name;
  private RawDocument keyPattern;
  private Integer expireAfterSeconds;
  private Boolean hidden;
  private Boolean prepareUnique;
  private boolean unique;

  private IndexModificationArgument() {}

  static IndexModification parse(String path, RawDocument argument) {
    var change = new IndexModificationArgument();
    ArgumentReader fields = ArgumentReader.of(path, argument);
    while (fields.next()) {
      change.read(fields);
    }
    change.check();
    return new IndexModification(
        change.name,
        change.keyPattern,
        change.expireAfterSeconds,
        change.hidden,
        change.prepareUnique,
        change.unique);
  }

  private void read(ArgumentReader fields) {
    switch (fields.name()) {
      case "name" -> name = fields.string();
      case "keyPattern" -> keyPattern = fields.document();
      case "expireAfterSeconds" -> expireAfterSeconds = seconds(fields);
      case "hidden" -> hidden = fields.bool();
      case "prepareUnique" -> prepareUnique = fields.bool();
      case "unique" -> {
        unique = fields.bool();
        if (!unique) {
          throw new CommandException(ErrorCode.BAD_VALUE, "cannot make indexes non-unique");
        }
      }
      default -> fields.unknown();
    }
  }

  private static int seconds(ArgumentReader fields) {
    fields.wholeNumber();
    try {
      return ExpireAfterSeconds.ofIndex(fields.value());
    } catch (CommandException e) {
      throw new CommandException(ErrorCode.INVALID_OPTIONS, e.getMessage());
    }
  }

  private void check() {
    if (name == null && keyPattern == null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "must specify either index name or key pattern");
    }
    if (name != null && keyPattern != null) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Cannot specify both key pattern and name.");
    }
    if (expireAfterSeconds == null && hidden == null && prepareUnique == null && !unique) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "no expireAfterSeconds, hidden, unique, or prepareUnique field");
    }
  }
}
