package dev.wisent.tools.format;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Writes an archive; several collections may be written beside each other. Thread-safe. */
public final class ArchiveWriter implements Closeable {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final byte[] END = {-1, -1, -1, -1};
  private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

  private final OutputStream out; // guarded by this

  public ArchiveWriter(OutputStream out, ArchivePrelude prelude) throws IOException {
    this.out = out;
    byte[] magic =
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(ArchivePrelude.MAGIC).array();
    out.write(magic);
    var entries = new ByteArrayOutputStream();
    for (ArchivePrelude.Entry entry : prelude.entries()) {
      entries.write(bytes(entry.toDocument()));
    }
    byte[] header = bytes(prelude.header());
    BlockCheck.put(header, entries.toByteArray(), entries.size());
    out.write(header);
    entries.writeTo(out);
    out.write(END);
  }

  private static byte[] bytes(BsonDocument document) {
    ByteBuf buffer = new RawBsonDocument(document, CODEC).getByteBuffer();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** The documents of one collection; for one thread. */
  public OutputStream open(String database, String collection) {
    return new Namespace(database, collection);
  }

  private synchronized void block(byte[] header, byte[] bytes, int length) throws IOException {
    out.write(header);
    out.write(bytes, 0, length);
    out.write(END);
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  /** Gathers whole documents: each call of {@code write} is one. */
  private final class Namespace extends OutputStream {
    private final String database;
    private final String collection;
    private final Crc64 crc = new Crc64();
    private byte[] buffer = new byte[BLOCK_BYTES / 16];
    private int length;

    private Namespace(String database, String collection) {
      this.database = database;
      this.collection = collection;
    }

    @Override
    public void write(int b) {
      throw new UnsupportedOperationException("only whole documents");
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      if (length > 0 && length + count > BLOCK_BYTES) {
        flushBlock();
      }
      if (length + count > buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.max(length + count, 2 * buffer.length));
      }
      System.arraycopy(bytes, offset, buffer, length, count);
      length += count;
    }

    private void flushBlock() throws IOException {
      crc.update(buffer, 0, length);
      block(header(false, 0), buffer, length);
      length = 0;
    }

    private byte[] header(boolean end, long check) {
      byte[] header =
          bytes(
              new BsonDocument("db", new BsonString(database))
                  .append("collection", new BsonString(collection))
                  .append("EOF", BsonBoolean.valueOf(end))
                  .append("CRC", new BsonInt64(check))
                  .append(BlockCheck.FIELD, new BsonInt64(0)));
      BlockCheck.put(header, buffer, length);
      return header;
    }

    @Override
    public void close() throws IOException {
      if (length > 0) {
        flushBlock();
      }
      block(header(true, crc.value()), buffer, 0);
    }
  }
}
