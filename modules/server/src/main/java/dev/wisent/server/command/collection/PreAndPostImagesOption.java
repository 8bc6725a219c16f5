package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;

/**
 * {@code changeStreamPreAndPostImages} of {@code create} and {@code collMod}. A collection that has
 * it off is listed without the option, as in MongoDB.
 */
final class PreAndPostImagesOption {
  static final String NAME = "changeStreamPreAndPostImages";

  /** The value as it is stored. */
  static final RawDocument ENABLED = new BsonBuilder().appendBoolean("enabled", true).toDocument();

  private PreAndPostImagesOption() {}

  /** Reads the value of the option; fails where it cannot be on. */
  static boolean isEnabled(ArgumentReader reader, Namespace namespace) {
    Boolean enabled = null;
    ArgumentReader fields = ArgumentReader.of(reader.path(), reader.document());
    while (fields.next()) {
      switch (fields.name()) {
        case "enabled" -> enabled = fields.bool();
        default -> fields.unknown();
      }
    }
    if (enabled == null) {
      throw ArgumentTypes.missing(reader.path() + ".enabled");
    }
    if (enabled && namespace.isInternal()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          NAME
              + " collection option is not supported on the "
              + namespace.database()
              + " database");
    }
    return enabled;
  }
}
