package dev.wisent.wire;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.DocumentValidator;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/** A parsed OP_MSG. The documents are views into the message, checked to be well-formed BSON. */
public record OpMsg(int flags, RawDocument body, List<DocumentSequence> sequences) {
  public static final int CHECKSUM_PRESENT = 1;
  public static final int MORE_TO_COME = 1 << 1;
  public static final int EXHAUST_ALLOWED = 1 << 16;

  private static final int REQUIRED_BITS = 0xFFFF;
  private static final int KNOWN_REQUIRED_BITS = CHECKSUM_PRESENT | MORE_TO_COME;
  private static final int CHECKSUM_BYTES = 4;
  private static final int DOCUMENT_BYTES_MIN = 5;
  private static final int SEQUENCES_MAX = 2;

  public boolean moreToCome() {
    return (flags & MORE_TO_COME) != 0;
  }

  public boolean exhaustAllowed() {
    return (flags & EXHAUST_ALLOWED) != 0;
  }

  public boolean checksumPresent() {
    return (flags & CHECKSUM_PRESENT) != 0;
  }

  /** Reads the flags only; enough to know whether the sender waits for a reply. */
  public static int flagsOf(byte[] message, int length) {
    if (length < MessageHeader.BYTES + 4) {
      throw new WireException("OP_MSG of " + length + " bytes is too short");
    }
    return LittleEndian.int32(message, MessageHeader.BYTES);
  }

  /**
   * Parses {@code message[0..length)}, header included. Flags that must be understood and are not,
   * a wrong checksum and too many sequences end the connection, as in MongoDB; whatever else is
   * wrong inside the frame is an error that the client is told.
   */
  public static OpMsg parse(byte[] message, int length) {
    int flags = flagsOf(message, length);
    if ((flags & REQUIRED_BITS & ~KNOWN_REQUIRED_BITS) != 0) {
      throw new WireException(
          "Message contains illegal flags value: 0b" + Integer.toBinaryString(flags));
    }
    int end = length;
    if ((flags & CHECKSUM_PRESENT) != 0) {
      end -= CHECKSUM_BYTES;
      verifyChecksum(message, end);
    }
    return parseSections(flags, message, end);
  }

  private static OpMsg parseSections(int flags, byte[] message, int end) {
    RawDocument body = null;
    List<DocumentSequence> sequences = List.of();
    int at = MessageHeader.BYTES + 4;
    while (at < end) {
      int kind = message[at++];
      switch (kind) {
        case 0 -> {
          if (body != null) {
            throw new CommandException(
                ErrorCode.OP_MSG_BODY_TWICE, "Multiple body sections in message");
          }
          body = document(message, at, end);
          at += body.length();
        }
        case 1 -> {
          int size = end - at < 4 ? -1 : LittleEndian.int32(message, at);
          if (size < 5 || size > end - at) {
            throw new WireException("document sequence of " + size + " bytes does not fit");
          }
          if (sequences.isEmpty()) {
            sequences = new ArrayList<>(SEQUENCES_MAX);
          } else if (sequences.size() == SEQUENCES_MAX) {
            throw new WireException("Too many document sequences in OP_MSG");
          }
          sequences.add(sequence(message, at + 4, at + size, sequences));
          at += size;
        }
        default ->
            throw new CommandException(
                ErrorCode.OP_MSG_SECTION_KIND_UNKNOWN, "Unknown section kind " + (kind & 0xFF));
      }
    }
    if (body == null) {
      throw new CommandException(ErrorCode.OP_MSG_BODY_MISSING, "OP_MSG messages must have a body");
    }
    for (DocumentSequence sequence : sequences) {
      if (body.get(sequence.name()) != null) {
        throw new CommandException(
            ErrorCode.OP_MSG_FIELD_IN_BODY_AND_SEQUENCE,
            "Duplicate field between body and document sequence " + sequence.name());
      }
    }
    return new OpMsg(flags, body, sequences);
  }

  private static DocumentSequence sequence(
      byte[] message, int start, int end, List<DocumentSequence> before) {
    int nameEnd = start;
    while (nameEnd < end && message[nameEnd] != 0) {
      nameEnd++;
    }
    if (nameEnd == end) {
      throw new WireException("name of a document sequence has no end");
    }
    String name = new String(message, start, nameEnd - start, StandardCharsets.UTF_8);
    for (DocumentSequence other : before) {
      if (other.name().equals(name)) {
        throw new CommandException(
            ErrorCode.OP_MSG_SEQUENCE_TWICE, "Duplicate document sequence: " + name);
      }
    }
    var documents = new ArrayList<RawDocument>();
    int at = nameEnd + 1;
    while (at < end) {
      RawDocument document = document(message, at, end);
      documents.add(document);
      at += document.length();
    }
    return new DocumentSequence(name, documents);
  }

  private static RawDocument document(byte[] message, int at, int end) {
    int size = end - at < 4 ? -1 : LittleEndian.int32(message, at);
    if (size < DOCUMENT_BYTES_MIN || size > end - at) {
      throw new CommandException(
          ErrorCode.INVALID_BSON, "document of " + size + " bytes does not fit in its message");
    }
    if (size > Limits.DOCUMENT_BYTES_MAX_INTERNAL) {
      throw new CommandException(
          ErrorCode.BSON_OBJECT_TOO_LARGE,
          "BSONObj size: "
              + size
              + " (0x"
              + Integer.toHexString(size).toUpperCase(Locale.ROOT)
              + ") is invalid. Size must be between 0 and "
              + Limits.DOCUMENT_BYTES_MAX_INTERNAL
              + "(16MB)");
    }
    DocumentValidator.validate(message, at, size, Limits.NESTING_DEPTH_MAX_INTERNAL);
    return new RawDocument(message, at, size);
  }

  private static void verifyChecksum(byte[] message, int end) {
    if (end < MessageHeader.BYTES + 4) {
      throw new WireException("OP_MSG has no room for its checksum");
    }
    if (checksum(message, end) != LittleEndian.int32(message, end)) {
      throw new WireException("OP_MSG checksum does not match contents");
    }
  }

  static int checksum(byte[] message, int length) {
    var crc = new CRC32C();
    crc.update(message, 0, length);
    return (int) crc.getValue();
  }
}
