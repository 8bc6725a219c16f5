package dev.wisent.server.authorization;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.wire.DocumentSequence;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the arguments that decide what a command needs. A field that is there twice is refused: the
 * command might take the other one.
 */
final class Arguments {
  private Arguments() {}

  /** A field of a document; null if it has none of the name. */
  static RawValue field(RawDocument document, String name) {
    RawValue found = null;
    ElementCursor fields = document.elements();
    while (fields.next()) {
      if (fields.name().equals(name)) {
        if (found != null) {
          throw new CommandException(
              ErrorCode.IDL_DUPLICATE_FIELD, "BSON field '" + name + "' is a duplicate field");
        }
        found = fields.value();
      }
    }
    return found;
  }

  /** A field of a document that is a string; null if it is not. */
  static String text(RawDocument document, String name) {
    return text(field(document, name));
  }

  static String text(RawValue value) {
    return value == null || !value.isString() ? null : value.asString();
  }

  static boolean isTrue(RawDocument document, String name) {
    RawValue value = field(document, name);
    return value != null && value.isTruthy();
  }

  /** Whether a field is there and is not null. */
  static boolean has(RawDocument document, String name) {
    RawValue value = field(document, name);
    return value != null && !value.isNullish();
  }

  static RawDocument document(RawDocument document, String name) {
    RawValue value = field(document, name);
    return value == null || !value.isDocument() ? null : value.asDocument();
  }

  /** The values of an array; none where it is not one. */
  static List<RawValue> values(RawValue array) {
    var values = new ArrayList<RawValue>();
    if (array != null && array.isArray()) {
      ElementCursor elements = array.elements();
      while (elements.next()) {
        values.add(elements.value());
      }
    }
    return values;
  }

  /** The documents of an argument: those in the body, and those of sequences beside it. */
  static List<RawDocument> documents(CommandRequest request, String name) {
    var documents = new ArrayList<RawDocument>();
    for (RawValue value : values(request.body().get(name))) {
      if (value.isDocument()) {
        documents.add(value.asDocument());
      }
    }
    for (DocumentSequence sequence : request.sequences()) {
      if (sequence.name().equals(name)) {
        documents.addAll(sequence.documents());
      }
    }
    return documents;
  }

  /** The collection that a command names in its own field; null where that is not a string. */
  static String collection(CommandRequest request) {
    return text(request.argument());
  }
}
