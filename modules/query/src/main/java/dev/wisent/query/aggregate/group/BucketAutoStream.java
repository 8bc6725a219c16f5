package dev.wisent.query.aggregate.group;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.aggregate.DocumentStream;
import dev.wisent.query.aggregate.accumulator.AccumulatorStates;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.expression.Values;
import dev.wisent.query.sort.SortPattern;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.query.sort.SortedDocument;
import dev.wisent.query.sort.Sorter;
import java.util.List;

/** Sorts all documents by their values and then fills one bucket after the other. */
final class BucketAutoStream implements DocumentStream {
  /** Documents are sorted as a pair of value and document. */
  private record Item(RawValue value, RawDocument document) {}

  private final BucketAutoStage stage;
  private final DocumentStream input;
  private final Sorter sorter;
  private final Frame frame = new Frame();
  private final AccumulatorStates[] states;
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
    this.sorter = new Sorter(new SortPattern(List.of(), null), 0, space);
    this.states = Groups.begin(stage.output());
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
    return result();
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
      sorter.add(key.toByteArray(), pair.toDocument(), 0);
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
    return new Item(pair.get("v"), pair.get("d").asDocument());
  }

  /** Puts so many documents into the bucket; the last one gets all that are left. */
  private void fill() {
    Groups.start(states, 0, RawValue.NULL);
    min = ahead.value();
    for (long i = 0; ahead != null && (i < bucketSize || bucket == stage.buckets()); i++) {
      add();
    }
  }

  private void add() {
    max = ahead.value();
    frame.on(ahead.document());
    for (AccumulatorStates each : states) {
      each.add(0, frame);
    }
    ahead = take();
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
