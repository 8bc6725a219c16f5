package dev.wisent.tools.dump;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.base.Scheduler;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;

/**
 * Reads documents as bytes, in sessions of one cluster time where there is one. The cursors of that
 * time are all opened before the first is read: from then on the servers keep what they need, and
 * chunks may move. Thread-safe after {@link #open}.
 */
final class SourceReader implements AutoCloseable {
  private static final int SNAPSHOT_TOO_OLD = 239;
  private static final int SNAPSHOT_UNAVAILABLE = 246;
  private static final int WIRE_VERSION_OF_SNAPSHOTS = 13;
  private static final int REPORTED = 256;
  private static final int ATTEMPTS = 10;

  /** So many may be as large as servers make them. */
  private static final int FIRST_BATCHES_MAX = 8;

  /** So many documents has a server's first batch. */
  private static final int FIRST_BATCH = 101;

  private static final long BATCH_BYTES = 1 << 20;

  /** All first batches together have one part of so many. */
  private static final int HEAP_PART = 4;

  private static final Duration REFRESHED = Duration.ofMinutes(5);
  private static final ClientSessionOptions OF_ONE_TIME =
      ClientSessionOptions.builder().snapshot(true).build();

  private record Opened(ClientSession session, MongoCursor<RawBsonDocument> cursor)
      implements AutoCloseable {
    @Override
    public void close() {
      cursor.close();
      session.close();
    }
  }

  private final Deployment deployment;
  private final ReadPreference readPreference;
  private final Interruption interruption;
  private final Map<SourceCollection, Opened> opened = new ConcurrentHashMap<>();
  private volatile BsonTimestamp time;
  private volatile Scheduler.Task refreshing;

  SourceReader(Deployment deployment, DumpSettings settings, Interruption interruption) {
    this.deployment = deployment;
    this.readPreference = deployment.reading(settings.readPreference());
    this.interruption = interruption;
  }

  /** Whether the server can read at one time. */
  static boolean hasSnapshots(Deployment deployment) {
    return deployment.kind() != Deployment.Kind.NODE
        && deployment.hello().getNumber("maxWireVersion").intValue() >= WIRE_VERSION_OF_SNAPSHOTS;
  }

  /** Lists what is dumped. */
  @FunctionalInterface
  interface Listing {
    List<SourceCollection> read() throws ToolException;
  }

  /**
   * Reads all that follows at the time of this call. The list is of that time, too: it is the same
   * before the cursors are opened and afterwards.
   */
  List<SourceCollection> open(Listing listing, Scheduler scheduler) throws ToolException {
    for (int attempt = 1; ; attempt++) {
      interruption.check();
      List<SourceCollection> collections = listing.read();
      if (openAll(collections, attempt == ATTEMPTS)) {
        if (SourceCatalog.isSame(collections, listing.read())) {
          if (time != null) {
            refreshing = scheduler.every(REFRESHED, "refresh", this::refresh);
          }
          return collections;
        }
        closeAll();
        time = null;
      }
      if (attempt == ATTEMPTS) {
        throw ToolException.failed(
            "collections, indexes or options were changed during each of %d attempts to begin the dump;"
                    .formatted(ATTEMPTS)
                + " repeat it when there are no such changes");
      }
    }
  }

  /** The cluster time of all that is read; null where there is none. */
  BsonTimestamp time() {
    return time;
  }

  /** Opens all cursors at one time, and returns whether that was possible. */
  private boolean openAll(List<SourceCollection> collections, boolean isLast) throws ToolException {
    List<SourceCollection> ofOneTime =
        collections.stream()
            .filter(SourceCollection::inSnapshot)
            .filter(SourceCollection::withDocuments)
            .toList();
    boolean several = ofOneTime.size() > FIRST_BATCHES_MAX;
    long bytes = firstBatchBytes(ofOneTime.size(), Runtime.getRuntime().maxMemory());
    SourceCollection at = null;
    BsonTimestamp tried = null;
    try {
      for (SourceCollection each : ofOneTime) {
        at = each;
        tried = openAt(each, tried, several ? batchSize(each, bytes) : 0);
      }
      time = tried;
      return true;
    } catch (MongoException e) {
      closeAll();
      // A chunk has moved, or a definition has changed, between two of these cursors.
      if (e.getCode() != SNAPSHOT_UNAVAILABLE || isLast) {
        throw failure(at, e);
      }
      return false;
    }
  }

  private BsonTimestamp openAt(SourceCollection source, BsonTimestamp at, int batchSize) {
    ClientSession session = deployment.client().startSession(OF_ONE_TIME);
    try {
      if (at != null) {
        session.setSnapshotTimestamp(at);
      }
      MongoCursor<RawBsonDocument> cursor =
          collection(source)
              .find(session, source.filter())
              .batchSize(batchSize)
              .noCursorTimeout(true)
              .cursor();
      opened.put(source, new Opened(session, cursor));
      return session.getSnapshotTimestamp();
    } catch (MongoException e) {
      session.close();
      throw e;
    }
  }

  /** How large the first batch of each of so many collections may be. */
  static long firstBatchBytes(int collections, long heap) {
    return Math.min(BATCH_BYTES, heap / HEAP_PART / Math.max(1, collections));
  }

  /**
   * How many documents of a collection a batch may have: the first ones of all collections are in
   * memory at once. The driver has one size for all batches of a cursor. 0 is the server's own.
   */
  private int batchSize(SourceCollection source, long bytesMax) {
    try {
      BsonValue average =
          deployment
              .database(source.database())
              .runCommand(
                  new BsonDocument("collStats", new BsonString(source.name())), BsonDocument.class)
              .get("avgObjSize");
      long bytes = average == null ? 0 : average.asNumber().longValue();
      return bytes * FIRST_BATCH <= bytesMax ? 0 : (int) Math.max(1, bytesMax / bytes);
    } catch (MongoCommandException e) {
      return 0; // a view, or this user may not ask
    }
  }

  /** Sessions whose cursors wait for their turn are in use, which servers cannot see. */
  private void refresh() {
    var sessions = new BsonArray();
    opened
        .values()
        .forEach(each -> sessions.add(each.session().getServerSession().getIdentifier()));
    if (!sessions.isEmpty()) {
      deployment.admin(new BsonDocument("refreshSessions", sessions));
    }
  }

  private MongoCollection<RawBsonDocument> collection(SourceCollection source) {
    return deployment
        .database(source.database())
        .getCollection(source.name(), RawBsonDocument.class)
        .withReadPreference(readPreference);
  }

  /** Writes the documents of a collection, and returns how many they are. */
  long copy(SourceCollection source, OutputStream out, LongConsumer progress) throws ToolException {
    Opened before = opened.remove(source);
    try {
      if (before != null) {
        try (before) {
          return copy(before.cursor(), source, out, progress);
        }
      }
      ReadConcern concern =
          source.isOplog() ? ReadConcern.MAJORITY : collection(source).getReadConcern();
      try (MongoCursor<RawBsonDocument> cursor =
          collection(source).withReadConcern(concern).find(source.filter()).cursor()) {
        return copy(cursor, source, out, progress);
      }
    } catch (MongoException e) {
      throw failure(source, e);
    } catch (IOException e) {
      throw ToolException.failed("cannot write " + source + ": " + e.getMessage(), e);
    }
  }

  private long copy(
      MongoCursor<RawBsonDocument> cursor,
      SourceCollection source,
      OutputStream out,
      LongConsumer progress)
      throws IOException, ToolException {
    long count = 0;
    long reported = 0;
    while (cursor.hasNext()) {
      RawBsonDocument document = cursor.next();
      if (source.isOplog()) {
        OplogWindow.check(document);
      }
      ByteBuf bytes = document.getByteBuffer();
      out.write(bytes.array(), bytes.position(), bytes.remaining());
      count++;
      if (count - reported == REPORTED) {
        interruption.check();
        progress.accept(REPORTED);
        reported = count;
      }
    }
    progress.accept(count - reported);
    return count;
  }

  private ToolException failure(SourceCollection source, MongoException e) {
    if (e.getCode() == SNAPSHOT_TOO_OLD || e.getCode() == SNAPSHOT_UNAVAILABLE) {
      return ToolException.failed(
          """
          %s: %s: the server does not keep the state of %s any longer. The dump is not complete.
          It takes longer than minSnapshotHistoryWindowInSeconds (300 by default). Raise that on \
          all members before the dump, raise --numParallelCollections, or dump each replica set \
          with --oplog, which needs no snapshot.\
          """
              .formatted(
                  source,
                  e.getCode() == SNAPSHOT_TOO_OLD ? "SnapshotTooOld" : "SnapshotUnavailable",
                  time == null ? "that time" : text(time)),
          e);
    }
    if (e instanceof MongoClientException && time != null) {
      return Deployment.failure("cannot read a snapshot of " + source, e);
    }
    return Deployment.failure("cannot read " + source, e);
  }

  static String text(BsonTimestamp timestamp) {
    return timestamp.getTime() + ":" + timestamp.getInc();
  }

  /** The newest or oldest entry of the oplog. */
  BsonTimestamp oplogTime(int order) throws ToolException {
    try {
      BsonDocument entry =
          deployment
              .database("local")
              .getCollection("oplog.rs", BsonDocument.class)
              .withReadPreference(readPreference)
              .find()
              .projection(BsonDocument.parse("{ts: 1}"))
              .sort(BsonDocument.parse("{$natural: " + order + "}"))
              .limit(1)
              .first();
      if (entry == null) {
        throw ToolException.failed("the oplog is empty");
      }
      return entry.getTimestamp("ts");
    } catch (MongoException e) {
      throw Deployment.failure("cannot read the oplog", e);
    }
  }

  private void closeAll() {
    for (SourceCollection each : List.copyOf(opened.keySet())) {
      Opened left = opened.remove(each);
      if (left != null) {
        left.close();
      }
    }
  }

  @Override
  public void close() {
    if (refreshing != null) {
      refreshing.cancel();
    }
    closeAll();
  }
}
