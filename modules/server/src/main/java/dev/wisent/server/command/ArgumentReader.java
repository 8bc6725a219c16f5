package dev.wisent.server.command;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/**
 * Walks a command's own arguments: generic ones are passed over, and a {@code switch} over {@link
 * #name()} handles each, with {@link #unknown()} in its {@code default}. Nulls count as absent, as
 * drivers send them for options that were not set.
 */
public final class ArgumentReader {
  private final String owner;
  private final boolean isCommand;
  private final ElementCursor fields;
  private String name;

  private ArgumentReader(String owner, RawDocument document, boolean isCommand) {
    this.owner = owner;
    this.isCommand = isCommand;
    this.fields = document.elements();
    if (isCommand) {
      fields.next();
    }
  }

  /** The arguments after the command's own field. */
  public static ArgumentReader of(CommandRequest request) {
    return new ArgumentReader(request.name(), request.body(), true);
  }

  /** The fields of a document inside a command; {@code path} names it in errors. */
  public static ArgumentReader of(String path, RawDocument document) {
    return new ArgumentReader(path, document, false);
  }

  public boolean next() {
    while (fields.next()) {
      if (isCommand && GenericArgument.at(fields) != null) {
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

  public RawValue value() {
    return fields.value();
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

  public List<RawDocument> documents() {
    return CommandRequest.documentsOf(path(), value());
  }

  public boolean bool() {
    return ArgumentTypes.bool(path(), value());
  }

  public long wholeNumber() {
    return ArgumentTypes.wholeNumber(path(), value());
  }

  public long nonNegative() {
    return ArgumentTypes.nonNegative(path(), value());
  }

  /** Refuses the field. */
  public void unknown() {
    throw ArgumentTypes.unknown(path());
  }
}
