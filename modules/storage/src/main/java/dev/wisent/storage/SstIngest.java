package dev.wisent.storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;

/**
 * Brings many entries into a keyspace at once: written as files of RocksDB's own form, which then
 * become part of the store as they are, past the log. That is not a logical change, so it is only
 * for keys of an ident that no reader can see yet, and that nothing else writes to meanwhile.
 *
 * <p>For one thread. Closing it without {@link #ingest} leaves nothing behind.
 */
public final class SstIngest extends NativeResource implements AutoCloseable {
  /** Files of about this size are what compaction makes, too. */
  private static final long FILE_BYTES_MAX = 64L << 20;

  private static final int ENTRIES_PER_SIZE_CHECK = 1024;

  private final StoreContents contents;
  private final Keyspace keyspace;
  private final TemporaryFiles temporary;
  private final EnvOptions environment = new EnvOptions();
  private final Options options;
  private final List<Path> files = new ArrayList<>();
  private SstFileWriter writer;
  private long entries;

  SstIngest(StoreContents contents, Keyspace keyspace, TemporaryFiles temporary, Options options) {
    this.contents = contents;
    this.keyspace = keyspace;
    this.temporary = temporary;
    this.options = options;
  }

  /** Adds an entry; its key is greater than all before. */
  public void put(byte[] key, byte[] value) {
    contents
        .calls()
        .call(
            "write a file of entries",
            () -> {
              if (writer == null) {
                open();
              }
              writer.put(key, value);
              if (++entries % ENTRIES_PER_SIZE_CHECK == 0 && writer.fileSize() > FILE_BYTES_MAX) {
                finish();
              }
            });
  }

  private void open() throws RocksDBException {
    Path file = temporary.newName("ingest");
    files.add(file);
    writer = new SstFileWriter(environment, options);
    writer.open(file.toString());
  }

  private void finish() throws RocksDBException {
    writer.finish();
    writer.close();
    writer = null;
  }

  /** Makes all entries visible in one step, and durable; none of them if it fails. */
  public void ingest() {
    contents
        .calls()
        .call(
            "take in files of entries",
            () -> {
              if (writer != null) {
                finish();
              }
              if (!files.isEmpty()) {
                contents.ingest(keyspace, files.stream().map(Path::toString).toList());
              }
            });
  }

  @Override
  public void close() {
    contents.release(this);
    files.forEach(temporary::delete);
  }

  @Override
  void free() {
    if (writer != null) {
      writer.close();
      writer = null;
    }
    options.close();
    environment.close();
  }
}
