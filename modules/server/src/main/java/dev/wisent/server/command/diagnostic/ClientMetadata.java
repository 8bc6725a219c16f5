package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.server.connection.ClientConnection;

/**
 * What a driver says about itself in its first hello: {@code client: {application, driver, os}}.
 */
final class ClientMetadata {
  private static final int METADATA_BYTES_MAX = 1024;
  private static final int APPLICATION_NAME_BYTES_MAX = 128;

  private ClientMetadata() {}

  /** Keeps the metadata that a hello carries; whether it is the client's first. */
  static boolean remember(RawDocument hello, ClientConnection client) {
    RawValue given = hello.get("client");
    if (given == null) {
      return false;
    }
    if (!given.isDocument()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The client metadata document must be a document, but got "
              + ElementType.alias(given.type()));
    }
    RawDocument metadata = given.asDocument();
    if (client.clientMetadata() != null) {
      if (client.clientMetadata().equals(metadata)) {
        return false; // the next run of one streaming hello
      }
      throw new CommandException(
          ErrorCode.CLIENT_METADATA_CANNOT_BE_MUTATED,
          "The client metadata document may only be sent in the first hello");
    }
    check(metadata);
    client.clientMetadata(metadata);
    return true;
  }

  private static void check(RawDocument metadata) {
    if (metadata.length() > METADATA_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.CLIENT_METADATA_DOCUMENT_TOO_LARGE,
          "The client metadata document must be less then or equal to "
              + METADATA_BYTES_MAX
              + " bytes");
    }
    RawValue application = metadata.get("application");
    RawValue name =
        application != null && application.isDocument()
            ? application.asDocument().get("name")
            : null;
    if (name != null && name.isString() && name.length() - 5 > APPLICATION_NAME_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.CLIENT_METADATA_APP_NAME_TOO_LARGE,
          "The 'application.name' field must be less then or equal to "
              + APPLICATION_NAME_BYTES_MAX
              + " bytes in the client metadata document");
    }
    requireStrings(metadata, "driver", "name", "version");
    requireStrings(metadata, "os", "type");
  }

  private static void requireStrings(RawDocument metadata, String part, String... names) {
    RawValue value = metadata.get(part);
    if (value == null || !value.isDocument()) {
      throw missing("sub-document", part, "client metadata document");
    }
    for (String name : names) {
      RawValue field = value.asDocument().get(name);
      if (field == null || !field.isString()) {
        throw missing("field", name, "client " + part + " sub-document");
      }
    }
  }

  private static CommandException missing(String what, String name, String where) {
    return new CommandException(
        ErrorCode.CLIENT_METADATA_MISSING_FIELD,
        "Missing required " + what + " '" + name + "' in the " + where);
  }
}
