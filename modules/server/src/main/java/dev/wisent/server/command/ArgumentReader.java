package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.CollationChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Walks a command's own arguments: generic ones are passed over, and a {@code switch} over {@link
 * #name()} handles each, with {@link #unknown()} in its {@code default}. Nulls count as absent, as
 * drivers send them for options that were not set.
 */
public final class ArgumentReader {
  private static final int LARGE_MESSAGE_BYTES = 1 << 16;

  private final String owner;
  private final ElementCursor fields;
  private final DuplicateFields duplicates;
  private String name;

  private ArgumentReader(String owner, RawDocument document, boolean isCommand) {
    this.owner = owner;
    this.fields = document.elements();
    // Those of the command itself were looked for when the request was read.
    this.duplicates = isCommand ? null : new DuplicateFields(document);
    if (isCommand) {
      fields.next();
    }
  }

  /** The arguments after the command's own field. */
  public static ArgumentReader of(CommandRequest request) {
    return new ArgumentReader(request.nameInErrors(), request.body(), true);
  }

  /** The fields of a document inside a command; {@code path} names it in errors. */
  public static ArgumentReader of(String path, RawDocument document) {
    return new ArgumentReader(path, document, false);
  }

  public boolean next() {
    while (fields.next()) {
      if (duplicates != null) {
        duplicates.check(fields, owner);
      } else if (GenericArgument.at(fields) != null) {
        continue;
      }
      if (fields.type() == ElementType.NULL || fields.type() == ElementType.UNDEFINED) {
        continue;
      }
      name = fields.name();
      return true;
    }
    return false;
  }

  public String name() {
    return name;
  }

  /**
   * The value; a small one of a large message is a copy, because a cursor that keeps it would keep
   * the whole message.
   */
  public RawValue value() {
    RawValue value = fields.value();
    int whole = value.bytes().length;
    return whole > LARGE_MESSAGE_BYTES && value.length() < whole / 2 ? value.detached() : value;
  }

  /** {@code command.field}, as errors show it. */
  public String path() {
    return owner + "." + name;
  }

  public String string() {
    return ArgumentTypes.string(path(), value());
  }

  public RawDocument document() {
    return ArgumentTypes.document(path(), value());
  }

  public CollationChoice collation() {
    return CollationChoice.of(document());
  }

  public List<RawDocument> documents() {
    return documentsOf(path(), value());
  }

  public RawDocument array() {
    return ArgumentTypes.array(path(), value());
  }

  public boolean bool() {
    return ArgumentTypes.bool(path(), value());
  }

  /** A boolean and nothing else. */
  public boolean strictBool() {
    return ArgumentTypes.strictBool(path(), value());
  }

  public long wholeNumber() {
    return ArgumentTypes.wholeNumber(path(), value());
  }

  public long nonNegative() {
    return ArgumentTypes.nonNegative(path(), value());
  }

  public long timestamp() {
    return ArgumentTypes.timestamp(path(), value());
  }

  public UUID uuid() {
    return CollectionUuids.parse(path(), value());
  }

  /** Refuses a flag that is set: what it asks for is not done yet. */
  public void refuseIfSet() {
    if (bool()) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, path() + " is not supported yet");
    }
  }

  /** Refuses the field. */
  public void unknown() {
    throw ArgumentTypes.unknown(path());
  }

  /** The documents of an array in the body. */
  private static List<RawDocument> documentsOf(String path, RawValue array) {
    var documents = new ArrayList<RawDocument>();
    ElementCursor elements = ArgumentTypes.array(path, array).elements();
    while (elements.next()) {
      if (elements.type() != ElementType.DOCUMENT) {
        throw ArgumentTypes.wrongType(path + "." + elements.name(), elements.type(), "object");
      }
      documents.add(elements.value().asDocument());
    }
    return documents;
  }
}
