package dev.wisent.tools.restore;

import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.format.CollectionMetadata;
import dev.wisent.tools.format.DocumentStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.bson.BsonDocument;

/** The documents of one collection on standard input. */
final class StreamSource implements DumpSource {
  private final InputStream in;
  private final DumpedCollection collection;

  StreamSource(RestoreSettings settings, InputStream standardInput) throws IOException {
    this.in = settings.gzip() ? new GZIPInputStream(standardInput) : standardInput;
    String name = settings.collection().orElseThrow();
    this.collection =
        new DumpedCollection(
            settings.database().orElseThrow(),
            name,
            new CollectionMetadata(
                name, CollectionMetadata.COLLECTION, new BsonDocument(), List.of(), ""),
            0,
            true);
  }

  @Override
  public List<DumpedCollection> collections() {
    return List.of(collection);
  }

  @Override
  public boolean hasOplog() {
    return false;
  }

  @Override
  public long bytes() {
    return -1;
  }

  @Override
  public void read(Sink sink) throws ToolException, IOException {
    if (sink.begin(collection)) {
      var stream = new DocumentStream(new BufferedInputStream(in), "standard input");
      Batches.read(stream, documents -> sink.documents(collection, documents));
      sink.end(collection);
    }
  }
}
