package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A database in a directory, with one collection that most tests use, and short forms in JSON. */
public final class TestDatabase implements AutoCloseable {
  public static final Namespace NAMESPACE = new Namespace("test", "c");

  private final StorageOptions options;
  private StorageEngine engine;
  private LocalCommitLog log;
  private LocalDatabase database;

  private final UnaryOperator<CommitLog> aboveLog;

  private TestDatabase(StorageOptions options, UnaryOperator<CommitLog> aboveLog) {
    this.options = options;
    this.aboveLog = aboveLog;
    start();
  }

  public static TestDatabase open(Path directory) {
    return open(directory, log -> log);
  }

  /** A database on another log that writes to this one. */
  public static TestDatabase open(Path directory, UnaryOperator<CommitLog> aboveLog) {
    return new TestDatabase(
        StorageOptions.defaults(directory).withCacheBytes(8 << 20).withWriteBufferBytes(4 << 20),
        aboveLog);
  }

  /** One whose log keeps an oplog, as that of a replica set does. */
  public static TestDatabase openWithOplog(Path directory) {
    return open(directory, OplogKeepingLog::new);
  }

  private void start() {
    engine = StorageEngine.open(options);
    log = LocalCommitLog.start(engine, BackgroundLoops.silent());
    CommitLog used = aboveLog.apply(log);
    database = LocalDatabase.open(engine, used, Clock.system(), RandomSource.system());
    if (used instanceof OplogKeepingLog stamping) {
      stamping.attach(database);
    }
  }

  /** Stops and starts again with what is on disk. */
  public void reopen() {
    close();
    start();
  }

  @Override
  public void close() {
    log.close();
    engine.close();
  }

  public LocalDatabase database() {
    return database;
  }

  public StorageEngine engine() {
    return engine;
  }

  public LocalCommitLog log() {
    return log;
  }

  public OperationContext operation() {
    return new OperationContext(Clock.system(), RandomSource.system(), () -> false);
  }

  public Collection collection() {
    return database.catalog().require(NAMESPACE);
  }

  public Collection create(String optionsJson) {
    return database.changes().create(NAMESPACE, RawDocument.parse(optionsJson), operation());
  }

  /** Inserts documents, all of which must be accepted. */
  public void insert(String... documents) {
    assertThat(tryInsert(true, documents).failures()).isEmpty();
  }

  public WriteOutcome tryInsert(boolean ordered, String... documents) {
    return insert(ordered, Arrays.stream(documents).map(RawDocument::parse).toList());
  }

  public WriteOutcome insert(boolean ordered, List<RawDocument> documents) {
    return database.insert(operation(), new InsertRequest(NAMESPACE, documents, ordered, false));
  }

  public WriteOutcome update(String query, String update) {
    return database.update(operation(), request(statement(query, update, false, false)));
  }

  public WriteOutcome updateMany(String query, String update) {
    return database.update(operation(), request(statement(query, update, true, false)));
  }

  public WriteOutcome upsert(String query, String update) {
    return database.update(operation(), request(statement(query, update, false, true)));
  }

  public static UpdateStatement statement(
      String query, String update, boolean multi, boolean upsert) {
    return new UpdateStatement(
        RawDocument.parse(query), value(update), multi, upsert, List.of(), RawDocument.EMPTY, null);
  }

  public static UpdateRequest request(UpdateStatement... statements) {
    return new UpdateRequest(NAMESPACE, List.of(statements), true, false);
  }

  public WriteOutcome delete(String query, boolean multi) {
    var statement = new DeleteStatement(RawDocument.parse(query), multi, null);
    return database.delete(operation(), new DeleteRequest(NAMESPACE, List.of(statement), true));
  }

  public long count(String query) {
    return database.count(
        operation(), new CountRequest(NAMESPACE, RawDocument.parse(query), 0, 0, null));
  }

  /** The results as JSON. */
  public List<String> find(String filter) {
    return drain(database.find(operation(), FindRequest.of(NAMESPACE, RawDocument.parse(filter))))
        .stream()
        .map(RawDocument::toJson)
        .toList();
  }

  public List<RawDocument> find(FindRequest request) {
    return drain(database.find(operation(), request));
  }

  /** All that is left, and the end of the cursor. */
  public static List<RawDocument> drain(ResultCursor cursor) {
    try (cursor) {
      return take(cursor, Integer.MAX_VALUE);
    }
  }

  public static List<RawDocument> take(ResultCursor cursor, int count) {
    var documents = new ArrayList<RawDocument>();
    while (documents.size() < count && cursor.peek() != null) {
      documents.add(RawDocument.of(cursor.peek().toByteArray()));
      cursor.take();
    }
    return documents;
  }

  /** A value of a document, as JSON spells it. */
  public static RawValue value(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v");
  }

  public static List<Integer> ids(List<RawDocument> documents) {
    return documents.stream().map(document -> document.get("_id").asInt32()).toList();
  }

  public void createIndex(String key, String... options) {
    database
        .changes()
        .addIndexes(collection(), List.of(indexSpec(RawDocument.parse(key), options)), operation());
  }

  /** A specification with the usual name; options are names of flags such as unique. */
  public static RawDocument indexSpec(RawDocument key, String... options) {
    var spec = new BsonBuilder();
    spec.appendInt32("v", 2);
    spec.appendDocument("key", key);
    spec.appendString("name", indexName(key));
    for (String option : options) {
      spec.appendBoolean(option, true);
    }
    return spec.toDocument();
  }

  public static String indexName(RawDocument key) {
    var parts = new ArrayList<String>();
    ElementCursor fields = key.elements();
    while (fields.next()) {
      parts.add(fields.name() + "_" + fields.value().toLong());
    }
    return String.join("_", parts);
  }

  public void dropIndex(String name) {
    database
        .changes()
        .dropIndexes(
            collection(), definition -> List.of(definition.index(name).orElseThrow()), operation());
  }

  public ValidationReport validate() {
    return new CollectionValidator(engine, collection(), operation()).run();
  }

  public void assertValid() {
    ValidationReport report = validate();
    assertThat(report.isValid()).as("%s", report).isTrue();
    assertThat(report.records()).isEqualTo(collection().documents());
  }

  /** A new term looks for orphaned data in the background, which ends soon. */
  public void assertNothingLeaks() {
    Workers.await("no snapshots and cursors of the storage engine", () -> openResources() == 0);
    assertThat(database.latches().size()).as("latches").isZero();
    assertThat(database.sorting().budget().taken()).as("memory of sorts").isZero();
  }

  /** Snapshots and cursors that were not closed. The engine frees them only when it ends. */
  public int openResources() {
    try {
      Object contents = value(engine, "contents");
      return ((Set<?>) value(contents, "resources")).size();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("the engine keeps its open resources elsewhere now", e);
    }
  }

  private static Object value(Object owner, String name) throws ReflectiveOperationException {
    var field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
