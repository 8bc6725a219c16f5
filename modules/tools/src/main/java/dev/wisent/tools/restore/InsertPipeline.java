package dev.wisent.tools.restore;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.ExactInsert;
import dev.wisent.tools.connection.WriteConcerns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.ByteBuf;
import org.bson.RawBsonDocument;

/**
 * Inserts what one thread submits, on threads of its own. A document that is there already with the
 * same bytes is no failure: an earlier restore that was interrupted has inserted it.
 */
final class InsertPipeline {
  private static final int DUPLICATE_KEY = 11_000;
  private static final int WAIT_MILLIS = 100;
  private static final int ATTEMPTS = 10;
  private static final int RETRY_MILLIS = 500;
  private static final int MESSAGES_MAX = 10;
  private static final List<RawBsonDocument> END = List.of();

  private final MongoCollection<RawBsonDocument> collection;
  private final ExactInsert inserts;
  private final RestoreSettings settings;
  private final BlockingQueue<List<RawBsonDocument>> waiting;
  private final Workers workers;
  private final int threads;
  private final Interruption interruption;
  private final Consumer<String> messages;
  private final LongConsumer progress;

  private volatile boolean stopped;
  private final LongAdder inserted = new LongAdder();
  private final LongAdder present = new LongAdder();
  private final LongAdder failed = new LongAdder();

  InsertPipeline(
      Deployment deployment,
      MongoCollection<RawBsonDocument> collection,
      RestoreSettings settings,
      int threads,
      Surroundings surroundings,
      Consumer<String> messages,
      LongConsumer progress) {
    this.collection = collection;
    this.inserts = new ExactInsert(deployment, collection);
    this.settings = settings;
    this.interruption = surroundings.interruption();
    this.messages = messages;
    this.progress = progress;
    this.threads = threads;
    this.waiting = new ArrayBlockingQueue<>(threads);
    List<Workers.Task> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      tasks.add(this::work);
    }
    this.workers = Workers.start(surroundings.scheduler(), "insert", threads, tasks);
  }

  long inserted() {
    return inserted.sum();
  }

  long present() {
    return present.sum();
  }

  long failed() {
    return failed.sum();
  }

  /** Waits for a free thread. */
  void submit(List<RawBsonDocument> documents) throws ToolException {
    try {
      while (!waiting.offer(documents, WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
        interruption.check();
        if (workers.failed()) {
          workers.join();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ToolException.failed("interrupted", e);
    }
  }

  /** Waits until everything that was submitted is inserted. */
  void finish() throws ToolException {
    for (int i = 0; i < threads && !workers.failed(); i++) {
      submit(END);
    }
    workers.join();
  }

  /** Waits only for the inserts that are under way. */
  void stop() {
    stopped = true;
    try {
      workers.join();
    } catch (ToolException | RuntimeException e) {
      messages.accept(collection.getNamespace() + ": " + e.getMessage());
    }
  }

  private void work() throws ToolException {
    try {
      while (true) {
        List<RawBsonDocument> next = waiting.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        interruption.check();
        boolean failedBeside = workers != null && workers.failed();
        if (next == END || stopped || failedBeside) {
          return;
        }
        if (next != null) {
          insert(next);
          progress.accept(next.stream().mapToLong(each -> each.getByteBuffer().remaining()).sum());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ToolException.failed("interrupted", e);
    }
  }

  private void insert(List<RawBsonDocument> documents) throws ToolException {
    if (settings.objcheck()) {
      check(documents);
    }
    var options =
        new InsertManyOptions()
            .ordered(settings.stopOnError())
            .bypassDocumentValidation(settings.bypassValidation() ? Boolean.TRUE : null);
    for (List<RawBsonDocument> part : ExactInsert.parts(documents)) {
      insert(part, options);
    }
  }

  private void insert(List<RawBsonDocument> documents, InsertManyOptions options)
      throws ToolException {
    List<RawBsonDocument> rest = documents;
    int attempt = 0;
    while (!rest.isEmpty()) {
      try {
        inserts.insertMany(rest, options);
        inserted.add(rest.size());
        return;
      } catch (MongoException e) {
        if (e instanceof MongoBulkWriteException bulk && !bulk.getWriteErrors().isEmpty()) {
          rest = afterErrors(rest, bulk);
          continue;
        }
        attempt++;
        if (attempt == ATTEMPTS || !isTransient(e)) {
          throw Deployment.failure("cannot insert into " + collection.getNamespace(), e);
        }
        // What an attempt has inserted, the next one finds there already.
        interruption.await(RETRY_MILLIS);
        interruption.check();
      }
    }
  }

  /** Whether another primary may take it: the driver tries only twice. */
  private static boolean isTransient(MongoException e) {
    return e.hasErrorLabel("RetryableWriteError")
        || e.hasErrorLabel("RetryableError")
        || e instanceof MongoSocketException
        || e instanceof MongoNotPrimaryException
        || e instanceof MongoNodeIsRecoveringException;
  }

  /** Counts what failed, and returns what an ordered insert has not tried. */
  private List<RawBsonDocument> afterErrors(
      List<RawBsonDocument> documents, MongoBulkWriteException e) throws ToolException {
    inserted.add(e.getWriteResult().getInsertedCount());
    List<BulkWriteError> errors = e.getWriteErrors();
    Set<ByteBuffer> there = stored(documents, errors);
    for (BulkWriteError error : errors) {
      RawBsonDocument document = documents.get(error.getIndex());
      if (error.getCode() == DUPLICATE_KEY && there.contains(bytes(document))) {
        present.increment();
        continue;
      }
      failed.increment();
      if (settings.stopOnError()) {
        throw ToolException.failed(collection.getNamespace() + ": " + error.getMessage());
      }
      if (failed.sum() <= MESSAGES_MAX) {
        messages.accept(collection.getNamespace() + ": " + error.getMessage());
      } else if (failed.sum() == MESSAGES_MAX + 1) {
        messages.accept(collection.getNamespace() + ": further failures are only counted");
      }
    }
    MongoException concern = WriteConcerns.failure(e).orElse(null);
    if (concern != null) {
      throw Deployment.failure("cannot insert into " + collection.getNamespace(), concern);
    }
    return settings.stopOnError()
        ? documents.subList(errors.getLast().getIndex() + 1, documents.size())
        : List.of();
  }

  /** What is stored under the ids that were refused, as bytes. */
  private Set<ByteBuffer> stored(List<RawBsonDocument> documents, List<BulkWriteError> errors) {
    var ids = new BsonArray();
    for (BulkWriteError error : errors) {
      BsonValue id = documents.get(error.getIndex()).get("_id");
      // A filter cannot ask for undefined.
      boolean asked = id != null && id.getBsonType() != BsonType.UNDEFINED;
      if (error.getCode() == DUPLICATE_KEY && asked) {
        ids.add(id);
      }
    }
    Set<ByteBuffer> found = new HashSet<>();
    if (!ids.isEmpty()) {
      collection
          .find(new BsonDocument("_id", new BsonDocument("$in", ids)))
          .forEach(document -> found.add(bytes(document)));
    }
    return found;
  }

  private static ByteBuffer bytes(RawBsonDocument document) {
    ByteBuf bytes = document.getByteBuffer();
    return ByteBuffer.wrap(bytes.array(), bytes.position(), bytes.remaining());
  }

  private void check(List<RawBsonDocument> documents) throws ToolException {
    for (RawBsonDocument document : documents) {
      try {
        document.decode(new org.bson.codecs.BsonDocumentCodec());
      } catch (RuntimeException e) {
        // Whatever the reader of the library meets in bytes that are no document.
        throw ToolException.failed(
            collection.getNamespace() + ": a document is damaged: " + e.getMessage(), e);
      }
    }
  }
}
