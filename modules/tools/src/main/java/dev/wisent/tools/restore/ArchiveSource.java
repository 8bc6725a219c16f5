package dev.wisent.tools.restore;

import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.format.ArchivePrelude.Entry;
import dev.wisent.tools.format.ArchiveReader;
import dev.wisent.tools.format.CollectionMetadata;
import dev.wisent.tools.format.DamagedDumpException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** An archive, read once from its begin to its end. */
final class ArchiveSource implements DumpSource {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final String OPLOG = ".oplog";

  private final ArchiveReader reader;
  private final Map<String, DumpedCollection> collections = new LinkedHashMap<>();
  private final long bytes;
  private boolean oplog;

  private ArchiveSource(ArchiveReader reader, long bytes) throws IOException {
    this.reader = reader;
    this.bytes = bytes;
    for (Entry entry : reader.prelude().entries()) {
      if (entry.database().isEmpty()) {
        oplog = true;
        continue;
      }
      String namespace = entry.database() + "." + entry.collection();
      CollectionMetadata metadata =
          entry.metadata().isEmpty()
              ? new CollectionMetadata(
                  entry.collection(),
                  CollectionMetadata.COLLECTION,
                  new BsonDocument(),
                  List.of(),
                  "")
              : CollectionMetadata.parse(entry.metadata(), namespace);
      collections.put(
          namespace,
          new DumpedCollection(
              entry.database(), entry.collection(), metadata, 0, !metadata.isView()));
    }
  }

  static ArchiveSource open(RestoreSettings settings, InputStream standardInput)
      throws IOException, ToolException {
    InputStream in = standardInput;
    long bytes = -1;
    if (!settings.archive().equals("-")) {
      Path file = Path.of(settings.archive());
      if (!Files.isRegularFile(file)) {
        throw ToolException.failed("there is no archive " + file);
      }
      in = Files.newInputStream(file);
      bytes = settings.gzip() ? -1 : Files.size(file);
    }
    try {
      InputStream plain = settings.gzip() ? new GZIPInputStream(in, 1 << 13) : in;
      return new ArchiveSource(
          new ArchiveReader(new BufferedInputStream(plain, BUFFER_BYTES)), bytes);
    } catch (EOFException e) {
      throw new DamagedDumpException("the archive is empty");
    }
  }

  @Override
  public List<DumpedCollection> collections() {
    return List.copyOf(collections.values());
  }

  @Override
  public boolean hasOplog() {
    return oplog;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void read(Sink sink) throws ToolException, IOException {
    var consumer = new Consumer(sink);
    try {
      reader.read(consumer);
    } catch (Stopped e) {
      throw e.reason;
    }
    // What was interrupted between two blocks ends as if it were whole.
    List<String> missing = reader.missing();
    if (!missing.isEmpty()) {
      throw new DamagedDumpException("the archive ends without " + String.join(", ", missing));
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  /** Brings an exception of the sink through the reader. */
  private static final class Stopped extends IOException {
    private static final long serialVersionUID = 1L;

    private final ToolException reason;

    private Stopped(ToolException reason) {
      super(reason);
      this.reason = reason;
    }
  }

  private final class Consumer implements ArchiveReader.Consumer {
    private final Sink sink;
    private final Map<String, Boolean> wanted = new HashMap<>();
    private final Set<String> ended = new HashSet<>();

    private Consumer(Sink sink) {
      this.sink = sink;
    }

    private boolean begin(String namespace) throws ToolException {
      Boolean known = wanted.get(namespace);
      if (known == null) {
        known = sink.begin(collections.get(namespace));
        wanted.put(namespace, known);
      }
      return known;
    }

    @Override
    public void documents(String database, String collection, List<RawBsonDocument> documents)
        throws IOException {
      String namespace = database + "." + collection;
      try {
        if (namespace.equals(OPLOG)) {
          sink.oplog(documents);
          return;
        }
        if (begin(namespace)) {
          for (int i = 0; i < documents.size(); i += Batches.DOCUMENTS_MAX) {
            int end = Math.min(documents.size(), i + Batches.DOCUMENTS_MAX);
            sink.documents(collections.get(namespace), documents.subList(i, end));
          }
        }
      } catch (ToolException e) {
        throw new Stopped(e);
      }
    }

    @Override
    public void end(String database, String collection) throws IOException {
      String namespace = database + "." + collection;
      try {
        if (!namespace.equals(OPLOG) && begin(namespace) && ended.add(namespace)) {
          sink.end(collections.get(namespace));
        }
      } catch (ToolException e) {
        throw new Stopped(e);
      }
    }
  }
}
