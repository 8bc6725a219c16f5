package dev.wisent.tools.format;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.RawBsonDocument;

/** Reads an archive from its begin to its end. Not thread-safe. */
public final class ArchiveReader implements Closeable {
  /** Documents of a block without a check of its own are handed on in pieces of this size. */
  private static final int PIECE_BYTES = 4 << 20;

  /** What a writer of ours makes of one block at most: one large document, or many small ones. */
  private static final long CHECKED_BYTES_MAX = 64 << 20;

  /** Takes what is read. */
  public interface Consumer {
    void documents(String database, String collection, List<RawBsonDocument> documents)
        throws IOException;

    /** All documents of a collection were read, and their check is right. */
    void end(String database, String collection) throws IOException;
  }

  private record Name(String database, String collection) {
    @Override
    public String toString() {
      return database.isEmpty() ? collection : database + "." + collection;
    }
  }

  private final InputStream in;
  private final ArchivePrelude prelude;
  private final Map<Name, Crc64> open = new HashMap<>();
  private final Set<Name> ended = new HashSet<>();
  private long position;

  /** Reads up to the first block. */
  public ArchiveReader(InputStream in) throws IOException {
    this.in = in;
    if (int32() != ArchivePrelude.MAGIC) {
      throw new DamagedDumpException(
          "this is no archive: it does not begin with 6d e2 99 81 (is --gzip missing?)");
    }
    List<BsonDocument> documents = new ArrayList<>();
    List<byte[]> bytes = new ArrayList<>();
    long at = position;
    for (RawBsonDocument next = next("header"); next != null; next = next("header")) {
      documents.add(decoded(next, at));
      bytes.add(next.getByteBuffer().array());
      at = position;
    }
    prelude = ArchivePrelude.of(documents, bytes);
  }

  public ArchivePrelude prelude() {
    return prelude;
  }

  /**
   * Reads all blocks.
   *
   * @throws DamagedDumpException with the place, at the first block that is not right
   */
  public void read(Consumer consumer) throws IOException {
    while (true) {
      long at = position;
      RawBsonDocument first = nextOrEnd();
      if (first == null) {
        break;
      }
      BsonDocument header = decoded(first, at);
      Name name = name(header, at);
      BlockCheck check = null;
      if (prelude.checkedBlocks()) {
        if (!header.isInt64(BlockCheck.FIELD)) {
          throw damaged(at, name, "it has no check");
        }
        check = new BlockCheck(first.getByteBuffer().array());
      }
      boolean known =
          prelude.entries().stream()
              .anyMatch(
                  entry ->
                      entry.database().equals(name.database())
                          && entry.collection().equals(name.collection()));
      if (!known || ended.contains(name)) {
        throw damaged(at, name, known ? "it has ended before" : "the header does not name it");
      }
      if (header.getBoolean("EOF", BsonBoolean.FALSE).getValue()) {
        end(name, header.getNumber("CRC", new BsonInt64(0)).longValue(), check, at, consumer);
      } else {
        block(name, check, at, consumer);
      }
    }
    if (!open.isEmpty()) {
      throw new DamagedDumpException(
          "the archive ends at byte %d, before the end of %s"
              .formatted(position, open.keySet().iterator().next()));
    }
  }

  /** The collections of the header whose end was not read. */
  public List<String> missing() {
    return prelude.entries().stream()
        .filter(entry -> !entry.type().equals(CollectionMetadata.VIEW))
        .map(entry -> new Name(entry.database(), entry.collection()))
        .filter(name -> !ended.contains(name))
        .map(Name::toString)
        .toList();
  }

  private static Name name(BsonDocument header, long at) throws DamagedDumpException {
    boolean right =
        header.isString("db")
            && header.isString("collection")
            && header.isBoolean("EOF")
            && header.isNumber("CRC");
    if (!right) {
      throw new DamagedDumpException("the archive is damaged in the block at byte " + at);
    }
    return new Name(header.getString("db").getValue(), header.getString("collection").getValue());
  }

  private void end(Name name, long expected, BlockCheck check, long at, Consumer consumer)
      throws IOException {
    if (next(at, name) != null) {
      throw damaged(at, name, "something follows its end");
    }
    if (check != null && !check.isRight()) {
      throw damaged(at, name, check.toString());
    }
    Crc64 crc = open.remove(name);
    long found = crc == null ? new Crc64().value() : crc.value();
    if (found != expected) {
      throw damaged(
          at,
          name,
          "its documents have the check %016x, and should have %016x".formatted(found, expected));
    }
    ended.add(name);
    consumer.end(name.database(), name.collection());
  }

  private void block(Name name, BlockCheck check, long at, Consumer consumer) throws IOException {
    Crc64 crc = open.computeIfAbsent(name, ignored -> new Crc64());
    List<RawBsonDocument> documents = new ArrayList<>();
    long waiting = 0;
    for (RawBsonDocument next = next(at, name); next != null; next = next(at, name)) {
      byte[] bytes = next.getByteBuffer().array();
      crc.update(bytes, 0, bytes.length);
      documents.add(next);
      waiting += bytes.length;
      if (check != null) {
        check.update(bytes);
        if (waiting > CHECKED_BYTES_MAX) {
          throw damaged(at, name, "the block is larger than any");
        }
      } else if (waiting > PIECE_BYTES) {
        consumer.documents(name.database(), name.collection(), documents);
        documents = new ArrayList<>();
        waiting = 0;
      }
    }
    if (check != null && !check.isRight()) {
      throw damaged(at, name, check.toString());
    }
    if (!documents.isEmpty()) {
      consumer.documents(name.database(), name.collection(), documents);
    }
  }

  private static BsonDocument decoded(RawBsonDocument document, long at)
      throws DamagedDumpException {
    try {
      return document.decode(new org.bson.codecs.BsonDocumentCodec());
    } catch (RuntimeException e) {
      // Whatever the reader of the library meets in bytes that are no document.
      throw new DamagedDumpException(
          "the archive is damaged at byte " + at + ": " + e.getMessage());
    }
  }

  private static DamagedDumpException damaged(long at, Name name, String why) {
    return new DamagedDumpException(
        "the archive is damaged in the block of %s at byte %d: %s".formatted(name, at, why));
  }

  private RawBsonDocument next(long at, Name name) throws IOException {
    try {
      return next(name.toString());
    } catch (DamagedDumpException e) {
      throw damaged(at, name, e.getMessage());
    }
  }

  /** The next document, or null at the end of the block. */
  private RawBsonDocument next(String of) throws IOException {
    long at = position;
    try {
      int length = int32();
      return length == DocumentStream.END ? null : document(length, at);
    } catch (EOFException e) {
      throw new DamagedDumpException(
          "the archive ends at byte %d, in the middle of %s".formatted(position, of));
    }
  }

  /** The next document, or null at the end of the archive. */
  private RawBsonDocument nextOrEnd() throws IOException {
    long at = position;
    byte[] start = in.readNBytes(4);
    position += start.length;
    if (start.length == 0) {
      return null;
    }
    if (start.length < 4) {
      throw new DamagedDumpException("the archive ends at byte " + position + ", in a block");
    }
    try {
      return document(LittleEndian.int32(start, 0), at);
    } catch (EOFException e) {
      throw new DamagedDumpException("the archive ends at byte " + position + ", in a block");
    }
  }

  private RawBsonDocument document(int length, long at) throws IOException {
    if (length < DocumentStream.DOCUMENT_BYTES_MIN || length > DocumentStream.DOCUMENT_BYTES_MAX) {
      throw new DamagedDumpException(
          "a document cannot have %d bytes, as byte %d says".formatted(length, at));
    }
    byte[] bytes = new byte[length];
    for (int i = 0; i < 4; i++) {
      bytes[i] = (byte) (length >>> (8 * i));
    }
    int read = in.readNBytes(bytes, 4, length - 4);
    position += read;
    if (read < length - 4) {
      throw new EOFException();
    }
    if (bytes[length - 1] != 0) {
      throw new DamagedDumpException(
          "the document at byte %d does not end with a zero byte".formatted(at));
    }
    return new RawBsonDocument(bytes);
  }

  private int int32() throws IOException {
    byte[] bytes = in.readNBytes(4);
    position += bytes.length;
    if (bytes.length < 4) {
      throw new EOFException();
    }
    return LittleEndian.int32(bytes, 0);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
