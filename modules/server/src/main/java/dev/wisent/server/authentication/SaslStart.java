package dev.wisent.server.authentication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.security.scram.ScramServerConversation;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import java.util.Base64;

/**
 * The arguments of {@code saslStart}, which {@code hello} can have, too.
 *
 * @param isText whether payloads are in base64
 */
record SaslStart(
    String database, String mechanism, byte[] payload, boolean isText, boolean skipsEmptyExchange) {
  private static final int CONVERSATION_ID = 1;

  /**
   * Reads the arguments.
   *
   * @param path names the command in errors
   * @param arguments after the command's own field
   * @param database null if the arguments name it, as those in {@code hello} do
   */
  static SaslStart parse(String path, ArgumentReader arguments, String database) {
    String named = database;
    String mechanism = null;
    RawValue payload = null;
    boolean skips = false;
    while (arguments.next()) {
      switch (arguments.name()) {
        case "mechanism" -> mechanism = arguments.string();
        case "payload" -> payload = arguments.value();
        case "options" -> skips = skipsEmptyExchange(arguments);
        case "autoAuthorize", "saslStart" -> {} // of old drivers, and of hello
        case "db" -> named = database == null ? arguments.string() : database;
        default -> arguments.unknown();
      }
    }
    if (mechanism == null) {
      throw ArgumentTypes.missing(path + ".mechanism");
    }
    if (named == null) {
      throw ArgumentTypes.missing(path + ".db");
    }
    return new SaslStart(
        named, mechanism, payload(path, payload), payload != null && payload.isString(), skips);
  }

  private static boolean skipsEmptyExchange(ArgumentReader arguments) {
    ArgumentReader options = ArgumentReader.of(arguments.path(), arguments.document());
    boolean skips = false;
    while (options.next()) {
      if (options.name().equals("skipEmptyExchange")) {
        skips = options.bool();
      } else {
        options.unknown();
      }
    }
    return skips;
  }

  /** The bytes of a payload, which is binary, or a string in base64. */
  static byte[] payload(String path, RawValue value) {
    String field = path + ".payload";
    if (value == null) {
      throw ArgumentTypes.missing(field);
    }
    if (value.type() == ElementType.BINARY) {
      return value.asBinary();
    }
    if (!value.isString()) {
      throw ArgumentTypes.wrongType(field, value.type(), "binData");
    }
    try {
      return Base64.getDecoder().decode(value.asString());
    } catch (IllegalArgumentException e) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Not a valid base64 string");
    }
  }

  /** Writes an answer, its payload in the form of the request's. */
  static void append(ScramServerConversation.Answer answer, boolean isText, BsonBuilder reply) {
    reply.appendInt32("conversationId", CONVERSATION_ID);
    reply.appendBoolean("done", answer.isDone());
    if (isText) {
      reply.appendString("payload", Base64.getEncoder().encodeToString(answer.payload()));
    } else {
      reply.appendBinary("payload", (byte) 0, answer.payload());
    }
  }

  static void checkConversation(long id) {
    if (id != CONVERSATION_ID) {
      throw new CommandException(ErrorCode.PROTOCOL_ERROR, "sasl: Mismatched conversation id");
    }
  }

  /** Without the payload. */
  @Override
  public String toString() {
    return mechanism + " on " + database;
  }
}
