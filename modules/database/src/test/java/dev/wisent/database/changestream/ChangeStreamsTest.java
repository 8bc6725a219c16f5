package dev.wisent.database.changestream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What streams make of entries that are written by hand. */
class ChangeStreamsTest {
  private static final String UUID =
      "{$binary: {base64: 'AAAAAAAAAAAAAAAAAAAAAA==', subType: '04'}}";

  private final MemoryOplog oplog = new MemoryOplog();
  private final AtomicInteger lookups = new AtomicInteger();
  private final OperationContext operation = OperationContext.internal(Clock.system());
  private final ChangeStreams streams =
      new ChangeStreams(
          oplog::newest,
          oplog.tail(new TailRing(128, 1 << 20)),
          (namespace, uuid, key, under) -> {
            lookups.incrementAndGet();
            return RawDocument.EMPTY;
          },
          (collection, timestamp, position) ->
              RawDocument.parse("{of: {$numberLong: '" + timestamp + "'}, at: " + position + "}"),
          (input, pipeline, first, under, request) -> new Piped(input, pipeline, first));

  /** Runs stages that need nothing of a database. */
  private static final class Piped implements ResultCursor {
    private final ResultCursor input;
    private final DocumentStream stages;
    private RawDocument ahead;

    Piped(ResultCursor input, Pipeline pipeline, int first) {
      this.input = input;
      this.stages = pipeline.over(this::nextInput, first, StageRun.inMemory());
    }

    private RawDocument nextInput() {
      RawDocument document = input.peek();
      if (document != null) {
        input.take();
      }
      return document;
    }

    @Override
    public void attach(OperationContext under) {
      input.attach(under);
    }

    @Override
    public void detach() {
      input.detach();
    }

    @Override
    public RawDocument peek() {
      ahead = ahead == null ? stages.next() : ahead;
      return ahead;
    }

    @Override
    public void take() {
      ahead = null;
    }

    @Override
    public boolean isExhausted() {
      return ahead == null && input.isExhausted();
    }

    @Override
    public void close() {
      input.close();
    }
  }

  private ResultCursor open(String options, String rest) {
    RawDocument stages =
        RawDocument.parse("{p: [{$changeStream: " + options + "}" + rest + "]}")
            .get("p")
            .asDocument();
    Pipeline pipeline = Pipeline.parse(stages, QueryContexts.of(operation, null));
    return streams.open(operation, new AggregateRequest(new Namespace("d", "c"), pipeline, null));
  }

  private static List<RawDocument> events(ResultCursor stream) {
    var events = new ArrayList<RawDocument>();
    for (RawDocument event = stream.peek(); event != null; event = stream.peek()) {
      events.add(event.detached());
      stream.take();
    }
    return events;
  }

  private void append(long timestamp, String entry) {
    oplog.append(timestamp, RawDocument.parse("{" + entry + "}"));
  }

  private static String insert(String namespace, int id) {
    return "op: 'i', ns: '%s', ui: %s, o: {_id: %d}, o2: {_id: %d}"
        .formatted(namespace, UUID, id, id);
  }

  private void appendTransaction(long first) {
    String none = "prevOpTime: {ts: {$timestamp: {t: 0, i: 0}}, t: -1}";
    append(
        first,
        "op: 'c', ns: 'admin.$cmd', o: {applyOps: [{%s}, {%s}], partialTxn: true}, %s"
            .formatted(insert("d.c", 1), insert("d.other", 2), none));
    append(
        first + 1,
        "op: 'c', ns: 'admin.$cmd', o: {applyOps: [{%s}], partialTxn: true}, %s"
            .formatted(insert("d.c", 3), previous(first)));
    append(
        first + 2,
        ("op: 'c', ns: 'admin.$cmd', lsid: {id: 1}, txnNumber: {$numberLong: '5'}, o: {applyOps:"
                + " [{op: 'd', ns: 'd.c', ui: %s, o: {_id: 3}}], count: {$numberLong: '4'}}, %s")
            .formatted(UUID, previous(first + 1)));
  }

  private static String previous(long timestamp) {
    return "prevOpTime: {ts: {$timestamp: {t: 0, i: " + timestamp + "}}, t: 1}";
  }

  @Test
  void aTransactionOfSeveralEntriesIsOne() {
    append(1, insert("d.c", 0));
    ResultCursor stream = open("{fullDocumentBeforeChange: 'required'}", "");
    appendTransaction(10);
    append(20, insert("d.c", 9));
    List<RawDocument> events = events(stream);
    assertThat(events)
        .extracting(e -> e.get("documentKey").asDocument().get("_id").toLong())
        .containsExactly(1L, 3L, 3L, 9L);
    assertThat(events)
        .extracting(e -> e.get("clusterTime").asInt64())
        .containsExactly(12L, 12L, 12L, 20L);
    assertThat(events.get(0).get("txnNumber").asInt64()).isEqualTo(5);
    assertThat(events.get(3).get("txnNumber")).isNull();
    assertThat(events.get(2).get("fullDocumentBeforeChange").asDocument())
        .isEqualTo(RawDocument.parse("{of: {$numberLong: '12'}, at: 0}"));
    for (int i = 0; i < events.size(); i++) {
      String token = events.get(i).get("_id").asDocument().toJson();
      ResultCursor rest =
          open("{fullDocumentBeforeChange: 'required', resumeAfter: " + token + "}", "");
      assertThat(events(rest)).isEqualTo(events.subList(i + 1, events.size()));
    }
  }

  @Test
  void aTransactionThatIsNoLongerWholeIsLost() {
    append(1, insert("d.c", 0));
    ResultCursor stream = open("{startAtOperationTime: {$timestamp: {t: 0, i: 12}}}", "");
    appendTransaction(10);
    oplog.trim(10);
    assertThatThrownBy(() -> events(stream))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANGE_STREAM_HISTORY_LOST));
  }

  @Test
  void aStartThatHasLeftTheOplogIsLost() {
    for (int i = 1; i <= 10; i++) {
      append(i, insert("d.c", i));
    }
    oplog.trim(5);
    for (int start : new int[] {2, 5}) {
      assertThatThrownBy(
              () ->
                  events(
                      open(
                          "{startAtOperationTime: {$timestamp: {t: 0, i: %d}}}".formatted(start),
                          "")))
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CHANGE_STREAM_HISTORY_LOST));
    }
    assertThat(events(open("{startAtOperationTime: {$timestamp: {t: 0, i: 6}}}", ""))).hasSize(5);
  }

  @Test
  void migrationsAreInvisible() {
    append(1, insert("d.c", 0));
    ResultCursor stream = open("{}", "");
    ResultCursor all = open("{showMigrationEvents: true}", "");
    append(2, insert("d.c", 1) + ", fromMigrate: true");
    append(3, insert("d.c", 2));
    assertThat(events(stream)).hasSize(1);
    assertThat(events(all)).hasSize(2);
  }

  @Test
  void whatNoStageAsksForIsNotLookedUp() {
    append(1, insert("d.c", 0));
    String lookup = "{fullDocument: 'updateLookup'}";
    ResultCursor filtered =
        open(lookup, ", {$match: {'documentKey._id': {$gt: 7}, operationType: 'update'}}");
    ResultCursor projected = open(lookup, ", {$project: {operationType: 1}}");
    ResultCursor whole = open(lookup, "");
    for (int i = 2; i <= 10; i++) {
      append(
          i,
          "op: 'u', ns: 'd.c', ui: %s, o: {$v: 2, diff: {u: {a: 1}}}, o2: {_id: %d}"
              .formatted(UUID, i));
    }
    assertThat(events(filtered)).hasSize(3);
    assertThat(lookups).hasValue(3);
    assertThat(events(projected)).hasSize(9);
    assertThat(lookups).hasValue(3);
    assertThat(events(whole)).hasSize(9);
    assertThat(lookups).hasValue(12);
  }

  @Test
  void theMarkOfABatchIsNeverBehindWhatWasLookedAt() {
    append(1, insert("d.c", 0));
    ResultCursor stream = open("{}", "");
    String before = mark(stream);
    append(5, insert("d.other", 1));
    assertThat(events(stream)).isEmpty();
    String passed = mark(stream);
    assertThat(passed).isGreaterThan(before);
    append(6, insert("d.c", 1));
    append(7, insert("d.c", 2));
    assertThat(stream.peek()).isNotNull();
    assertThat(mark(stream)).isGreaterThan(passed).isLessThan(token(stream.peek()));
    String first = token(stream.peek());
    stream.take();
    assertThat(mark(stream)).isEqualTo(first);
  }

  private static String mark(ResultCursor stream) {
    return stream.postBatchResumeToken().get("_data").asString();
  }

  private static String token(RawDocument event) {
    return event.get("_id").asDocument().get("_data").asString();
  }

  /** A thousand streams that wait would otherwise wake thousands of times per second. */
  @Test
  void aStreamThatWaitsDoesNotLookUntilItIsWoken() throws Exception {
    var errors = new ConcurrentLinkedQueue<ErrorCode>();
    var operations = new ArrayList<OperationContext>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 16; i++) {
      ResultCursor stream = open("{}", "");
      OperationContext own = OperationContext.internal(Clock.system());
      stream.detach();
      stream.attach(own);
      operations.add(own);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      stream.awaitMore(TimeUnit.MINUTES.toMillis(10));
                    } catch (CommandException e) {
                      errors.add(e.code());
                    }
                  }));
    }
    while (oplog.longestWaitMillis() == 0) {
      Thread.onSpinWait();
    }
    // Some of them wait, and some are about to.
    operations.forEach(each -> each.kill(ErrorCode.CURSOR_KILLED));
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(errors).hasSize(16).containsOnly(ErrorCode.CURSOR_KILLED);
    assertThat(oplog.longestWaitMillis()).isGreaterThan(TimeUnit.MINUTES.toMillis(9));
  }
}
