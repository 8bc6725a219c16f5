package dev.wisent.pipeline.group;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.accumulator.AccumulatorStates;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.sort.SortedDocument;
import dev.wisent.pipeline.sort.Sorter;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * Sorts all documents by their values and then fills one bucket after the other. Accumulators that
 * depend on the order of documents get those of a bucket in the order in which they came in.
 */
final class BucketAutoStream implements DocumentStream {
  private static final Set<String> ORDERED =
      Set.of("$first", "$firstN", "$last", "$lastN", "$push");

  /** Documents are sorted as a pair of value and document, with their places in the input. */
  private record Item(RawValue value, RawDocument document, long place) {}

  private final BucketAutoStage stage;
  private final DocumentStream input;
  private final Sorter sorter;
  private final Frame frame;
  private final SortSpace space;
  private final AccumulatorStates[] states;

  /** Which of the states depend on the order of documents; none of them is the usual case. */
  private final BitSet ordered = new BitSet();

  /** The documents of the bucket by their places in the input. */
  private Sorter byPlace;

  private long bucketSize;
  private boolean sorted;
  private int bucket;
  private RawValue min;
  private RawValue max;
  private RawValue previousMax;

  /** The first document that does not belong to the bucket; null at the end. */
  private Item ahead;

  BucketAutoStream(BucketAutoStage stage, DocumentStream input, SortSpace space) {
    this.stage = stage;
    this.input = input;
    this.frame = new Frame(space.meter());
    this.sorter = newSorter(space);
    this.space = space;
    this.states = Groups.begin(stage.output());
    for (int i = 0; i < states.length; i++) {
      ordered.set(i, ORDERED.contains(stage.output().get(i).accumulator().name()));
    }
  }

  @Override
  public RawDocument next() {
    if (!sorted) {
      sort();
      sorted = true;
      ahead = take();
    }
    if (ahead == null) {
      return null;
    }
    bucket++;
    fill();
    finish();
    addInOrder();
    return result();
  }

  private static Sorter newSorter(SortSpace space) {
    return new Sorter(new SortPattern(List.of(), null), 0, space);
  }

  private void sort() {
    var key = new IndexKeyV1.Encoder();
    var pair = new BsonBuilder();
    long count = 0;
    RawDocument document;
    while ((document = input.next()) != null) {
      RawValue value = stage.groupBy().evaluate(frame.on(document));
      if (stage.granularity() != null) {
        stage.granularity().check(value);
      }
      value = Values.nullIfMissing(value);
      key.reset().append(Collation.key(stage.collation(), value), false);
      pair.reset(0);
      pair.append("v", value).appendDocument("d", document);
      sorter.add(key.toByteArray(), pair.toDocument(), count);
      count++;
    }
    bucketSize = Math.max(1, Math.round((double) count / stage.buckets()));
  }

  private Item take() {
    SortedDocument next = sorter.next();
    if (next == null) {
      return null;
    }
    RawDocument pair = next.document();
    return new Item(pair.get("v"), pair.get("d").asDocument(), next.recordId());
  }

  /** Puts so many documents into the bucket; the last one gets all that are left. */
  private void fill() {
    Groups.start(states, 0, RawValue.NULL);
    byPlace = ordered.isEmpty() ? null : newSorter(space);
    min = ahead.value();
    for (long i = 0; ahead != null && (i < bucketSize || bucket == stage.buckets()); i++) {
      add();
    }
  }

  private void add() {
    max = ahead.value();
    frame.on(ahead.document());
    for (int i = ordered.nextClearBit(0); i < states.length; i = ordered.nextClearBit(i + 1)) {
      states[i].add(0, frame);
    }
    if (byPlace != null) {
      byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(ahead.place()).array();
      byPlace.add(key, ahead.document(), 0);
    }
    ahead = take();
  }

  private void addInOrder() {
    if (byPlace == null) {
      return;
    }
    SortedDocument next;
    while ((next = byPlace.next()) != null) {
      frame.on(next.document());
      for (int i = ordered.nextSetBit(0); i >= 0; i = ordered.nextSetBit(i + 1)) {
        states[i].add(0, frame);
      }
    }
  }

  /** Adds what may not be in the next bucket, and sets the boundaries. */
  private void finish() {
    Granularity granularity = stage.granularity();
    if (granularity == null) {
      while (ahead != null && compare(max, ahead.value()) == 0) {
        add();
      }
      max = ahead == null ? max : ahead.value();
      return;
    }
    min = previousMax == null ? granularity.roundDown(min) : previousMax;
    RawValue boundary = granularity.roundUp(max);
    while (ahead != null
        && (compare(boundary, ahead.value()) > 0 || compare(max, ahead.value()) == 0)) {
      add();
    }
    // A bucket of zeros ends where the next one begins.
    max =
        boundary.toDouble() == 0 && ahead != null ? granularity.roundDown(ahead.value()) : boundary;
    previousMax = max;
  }

  private int compare(RawValue a, RawValue b) {
    return Values.compare(stage.collation(), a, b);
  }

  private RawDocument result() {
    var out = new BsonBuilder().startDocument("_id").append("min", min).append("max", max).end();
    for (int i = 0; i < states.length; i++) {
      out.append(stage.output().get(i).name(), Values.nullIfMissing(states[i].result(0)));
    }
    return out.toDocument();
  }
}
