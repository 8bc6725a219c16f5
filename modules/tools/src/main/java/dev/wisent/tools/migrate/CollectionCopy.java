package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * The copy of one collection: one thread reads, others insert. Documents are read in the order of
 * {@code _id}, so that a later run goes on where this one ended; capped and clustered collections
 * in their own order, from the beginning.
 */
final class CollectionCopy {
  private static final int DOCUMENTS_MAX = 1_000;
  private static final int BYTES_MAX = 4 << 20;
  private static final int WAIT_MILLIS = 100;
  private static final int NOTED_EVERY = 20;
  private static final BsonDocument BY_ID = new BsonDocument("_id", new BsonInt32(1));
  private static final Piece END = new Piece(-1, List.of());

  private record Piece(long number, List<RawBsonDocument> documents) {}

  private final Deployment source;
  private final CatalogSync catalog;
  private final CollectionInfo info;
  private final CopyWriter writer;
  private final Surroundings surroundings;
  private final LongConsumer progress;
  private final int threads;
  private final boolean byId;
  private final BlockingQueue<Piece> waiting;

  private BsonValue lastRead; // of the thread that reads
  private long pieces; // of the thread that reads
  private MovedCollection moved; // guarded by this
  private long inserted; // guarded by this
  private final TreeMap<Long, BsonValue> ahead = new TreeMap<>(); // guarded by this
  private volatile boolean anew;
  private volatile Workers workers;
  private volatile boolean stopped;

  CollectionCopy(
      Deployment source,
      CatalogSync catalog,
      MovedCollection moved,
      MigrateSettings settings,
      Surroundings surroundings,
      LongConsumer progress) {
    this.source = source;
    this.catalog = catalog;
    this.moved = moved;
    this.info = catalog.sourceOf(moved.source());
    this.writer = catalog.writer(moved, info);
    this.surroundings = surroundings;
    this.progress = progress;
    this.threads = info.isCapped() ? 1 : settings.insertionWorkers();
    this.byId = !info.isCapped() && !info.isClustered();
    this.waiting = new ArrayBlockingQueue<>(threads);
  }

  /** Copies all documents that are there when they are read. */
  void run() throws ToolException {
    List<Workers.Task> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      tasks.add(this::insert);
    }
    workers = Workers.start(surroundings.scheduler(), "copy", threads, tasks);
    try {
      read();
      for (int i = 0; i < threads && !workers.failed(); i++) {
        submit(END);
      }
    } catch (ToolException | RuntimeException e) {
      stop(e);
      throw e;
    }
    workers.join();
  }

  /** Notes that all is there. */
  void done() throws ToolException {
    catalog.store(moved().asCopied());
  }

  private synchronized MovedCollection moved() {
    return moved;
  }

  /** Waits only for the inserts that are under way. */
  private void stop(Exception why) {
    stopped = true;
    try {
      workers.join();
    } catch (ToolException | RuntimeException e) {
      if (e != why) {
        why.addSuppressed(e);
      }
    }
  }

  private void read() throws ToolException {
    lastRead = moved().last();
    Attempts.untilItSucceeds(
        surroundings,
        () -> {
          // What an earlier run, or attempt, has inserted is not known.
          anew |= catalog.mayHaveOnOtherShards(moved());
          readOn();
        });
  }

  /** Goes on after what was read already, where the order allows that. */
  private void readOn() throws ToolException {
    List<RawBsonDocument> documents = new ArrayList<>();
    int bytes = 0;
    BsonValue from = byId ? lastRead : null;
    DocumentKey after = from == null ? null : DocumentKey.of(new BsonDocument("_id", from));
    try (var reads = new SourceReads(source, catalog.time());
        MongoCursor<RawBsonDocument> cursor = find(reads, from).cursor()) {
      while (cursor.hasNext()) {
        RawBsonDocument next = cursor.next();
        if (after != null && DocumentKey.of(next).equals(after)) {
          continue; // min() includes it
        }
        documents.add(next);
        bytes += next.getByteBuffer().remaining();
        if (documents.size() == DOCUMENTS_MAX || bytes >= BYTES_MAX) {
          submit(documents);
          documents = new ArrayList<>();
          bytes = 0;
        }
      }
    }
    if (!documents.isEmpty()) {
      submit(documents);
    }
  }

  private void submit(List<RawBsonDocument> documents) throws ToolException {
    submit(new Piece(pieces, documents));
    pieces++;
    lastRead = documents.getLast().get("_id");
  }

  private FindIterable<RawBsonDocument> find(SourceReads reads, BsonValue after) {
    FindIterable<RawBsonDocument> found =
        reads.find(info, new BsonDocument()).noCursorTimeout(true);
    if (!byId) {
      return found;
    }
    found.hint(BY_ID).sort(BY_ID);
    return after == null ? found : found.min(new BsonDocument("_id", after));
  }

  private void submit(Piece piece) throws ToolException {
    try {
      while (!waiting.offer(piece, WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        surroundings.interruption().check();
        if (workers.failed()) {
          workers.join();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ToolException.failed("interrupted", e);
    }
  }

  private void insert() throws ToolException {
    try {
      while (true) {
        Piece next = waiting.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        surroundings.interruption().check();
        if (next == END || stopped || (workers != null && workers.failed())) {
          return;
        }
        if (next != null) {
          try {
            Attempts.untilItSucceeds(surroundings, () -> insert(next.documents()));
          } catch (MongoException e) {
            throw Deployment.failure("cannot copy " + info, e);
          }
          progress.accept(next.documents().size());
          inserted(next);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ToolException.failed("interrupted", e);
    }
  }

  private void insert(List<RawBsonDocument> documents) throws ToolException {
    if (anew) {
      writer.insertAnew(documents);
    } else {
      writer.insert(documents);
    }
  }

  /** Notes how far all is there without a gap, from time to time. */
  private synchronized void inserted(Piece piece) throws ToolException {
    ahead.put(piece.number(), piece.documents().getLast().get("_id"));
    BsonValue last = null;
    while (ahead.containsKey(inserted)) {
      last = ahead.remove(inserted);
      inserted++;
    }
    if (last != null && byId) {
      moved = moved.copiedTo(last);
      if (inserted % NOTED_EVERY == 0) {
        catalog.store(moved);
      }
    }
  }
}
