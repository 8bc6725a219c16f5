package dev.wisent.tools.format;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.bson.RawBsonDocument;

/** Documents one after the other, as in a {@code .bson} file. Not thread-safe. */
public final class DocumentStream implements Closeable {
  /** 16 MiB and what the server adds around the largest document. */
  static final int DOCUMENT_BYTES_MAX = (16 << 20) + (16 << 10);

  static final int DOCUMENT_BYTES_MIN = 5;
  static final int END = -1;

  private final InputStream in;
  private final String name;
  private final byte[] start = new byte[4];
  private long position;
  private long documents;

  /**
   * @param name for messages
   */
  public DocumentStream(InputStream in, String name) {
    this.in = in;
    this.name = name;
  }

  /** How many bytes were read. */
  public long position() {
    return position;
  }

  /**
   * The next document, or null at the end.
   *
   * @throws DamagedDumpException if there is none although bytes are left
   */
  public RawBsonDocument next() throws IOException {
    long at = position;
    int read = in.readNBytes(start, 0, 4);
    position += read;
    if (read == 0) {
      return null;
    }
    if (read < 4) {
      throw damaged(at, "it ends in the middle of a document");
    }
    int length = LittleEndian.int32(start, 0);
    if (length < DOCUMENT_BYTES_MIN || length > DOCUMENT_BYTES_MAX) {
      throw damaged(at, "a document cannot have " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    System.arraycopy(start, 0, bytes, 0, 4);
    read = in.readNBytes(bytes, 4, length - 4);
    position += read;
    if (read < length - 4) {
      throw damaged(at, "it ends in the middle of a document");
    }
    if (bytes[length - 1] != 0) {
      throw damaged(at, "a document does not end with a zero byte");
    }
    documents++;
    return new RawBsonDocument(bytes);
  }

  private DamagedDumpException damaged(long at, String why) {
    return new DamagedDumpException(
        "%s is damaged at byte %d, after %d document(s): %s".formatted(name, at, documents, why));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
