package dev.wisent.tools.format;

import java.util.HexFormat;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * What the documents of a file were when it was written, by which a file is known that was cut or
 * changed since then.
 *
 * @param documents how many
 * @param bytes of all of them, before compression
 * @param crc CRC-64/XZ of all of them
 */
public record DataCheck(long documents, long bytes, long crc) {
  private static final String DOCUMENTS = "documents";
  private static final String BYTES = "bytes";
  private static final String CRC = "crc64";

  /** Adds up documents in their order. Not thread-safe. */
  public static final class Sum {
    private final Crc64 crc = new Crc64();
    private long documents;
    private long bytes;

    /** Adds one document. */
    public void add(byte[] array, int offset, int length) {
      crc.update(array, offset, length);
      documents++;
      bytes += length;
    }

    public DataCheck value() {
      return new DataCheck(documents, bytes, crc.value());
    }
  }

  BsonDocument toDocument() {
    return new BsonDocument(DOCUMENTS, new BsonInt64(documents))
        .append(BYTES, new BsonInt64(bytes))
        .append(CRC, new BsonString(HexFormat.of().toHexDigits(crc)));
  }

  /** Empty where other tools have written the file. */
  static Optional<DataCheck> of(BsonValue value) {
    boolean there =
        value instanceof BsonDocument document
            && document.isNumber(DOCUMENTS)
            && document.isNumber(BYTES)
            && document.isString(CRC);
    if (!there) {
      return Optional.empty();
    }
    BsonDocument document = value.asDocument();
    return Optional.of(
        new DataCheck(
            document.getNumber(DOCUMENTS).longValue(),
            document.getNumber(BYTES).longValue(),
            HexFormat.fromHexDigitsToLong(document.getString(CRC).getValue())));
  }

  @Override
  public String toString() {
    return "%d document(s), %d bytes, CRC %016x".formatted(documents, bytes, crc);
  }
}
