package dev.wisent.query.expression.convert;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.Values;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;

/** How {@code $convert} writes bytes as text. */
enum BinaryFormat {
  AUTO,
  BASE64,
  BASE64URL,
  HEX,
  UTF8,
  UUID_TEXT;

  private static final int UUID_SUBTYPE = 4;

  static BinaryFormat parse(RawValue value) {
    if (!value.isString()) {
      throw new CommandException(
          ErrorCode.CONVERT_FORMAT_TYPE,
          "$convert requires that 'format' be a string, found: "
              + Values.typeName(value)
              + " with value "
              + ValueText.of(value));
    }
    return switch (value.asString()) {
      case "auto" -> AUTO;
      case "base64" -> BASE64;
      case "base64url" -> BASE64URL;
      case "hex" -> HEX;
      case "utf8" -> UTF8;
      case "uuid" -> UUID_TEXT;
      default ->
          throw new CommandException(
              ErrorCode.CONVERT_FORMAT_UNKNOWN,
              "Invalid 'format' argument for $convert: " + value.asString());
    };
  }

  static BinaryFormat required(BinaryFormat format, String from, String to) {
    if (format == null) {
      throw new CommandException(
          ErrorCode.CONVERT_FORMAT_MISSING,
          "Format must be specified when converting from '" + from + "' to '" + to + "'");
    }
    return format;
  }

  /** A binary stays as it is, if it is of the subtype that is asked for. */
  static RawValue sameSubtype(RawValue input, int subtype) {
    if (input.binarySubtype() != subtype) {
      throw failure("Conversions between different binData subtypes are not supported");
    }
    return input;
  }

  RawValue encode(RawValue binary) {
    return RawValue.ofString(text(binary));
  }

  private String text(RawValue binary) {
    byte[] bytes = binary.asBinary();
    return switch (this) {
      case AUTO -> (binary.binarySubtype() == UUID_SUBTYPE ? UUID_TEXT : BASE64).text(binary);
      case BASE64 -> Base64.getEncoder().encodeToString(bytes);
      case BASE64URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      case HEX -> HexFormat.of().withUpperCase().formatHex(bytes);
      case UTF8 -> {
        try {
          yield StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
          throw failure("BinData does not represent a valid UTF-8 string");
        }
      }
      case UUID_TEXT -> {
        if (!binary.isUuid()) {
          throw failure("Input BinData is not a UUID");
        }
        yield binary.asUuid().toString();
      }
    };
  }

  RawValue decode(RawValue string, int subtype) {
    String text = string.asString();
    if (subtype == UUID_SUBTYPE && this != UUID_TEXT && this != AUTO) {
      throw failure("Only the UUID format is allowed with the UUID subtype");
    }
    byte[] bytes;
    try {
      bytes = bytes(text, subtype);
    } catch (IllegalArgumentException e) {
      throw failure(
          "Input '"
              + text
              + "' is not a valid "
              + (this == UUID_TEXT ? "uuid" : name().toLowerCase(Locale.ROOT))
              + " string.");
    }
    return new BsonBuilder(bytes.length + 16)
        .appendBinary("", (byte) subtype, bytes)
        .toDocument()
        .get("");
  }

  private byte[] bytes(String text, int subtype) {
    return switch (this) {
      case AUTO -> (subtype == UUID_SUBTYPE ? UUID_TEXT : BASE64).bytes(text, subtype);
      case BASE64 -> Base64.getDecoder().decode(text);
      case BASE64URL -> Base64.getUrlDecoder().decode(text);
      case HEX -> HexFormat.of().parseHex(text);
      case UTF8 -> text.getBytes(StandardCharsets.UTF_8);
      case UUID_TEXT -> RawValue.ofUuid(UUID.fromString(text)).asBinary();
    };
  }

  private static CommandException failure(String reason) {
    return new CommandException(
        ErrorCode.CONVERSION_FAILURE, reason + " in $convert with no onError value");
  }
}
