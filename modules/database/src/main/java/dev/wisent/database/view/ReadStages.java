package dev.wisent.database.view;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;

/** The stages of pipelines, as arrays, that do what other operations ask for. */
public final class ReadStages {
  private final BsonBuilder out = new BsonBuilder();
  private int count;

  private ReadStages() {}

  public static RawDocument of(FindRequest request) {
    return new ReadStages().match(request.filter()).rest(request).toArray();
  }

  /** What is left of a find when the filter is done. */
  public static RawDocument withoutFilter(FindRequest request) {
    return new ReadStages().rest(request).toArray();
  }

  /** One document with the number in its field {@code count}; none for zero. */
  public static RawDocument of(CountRequest request) {
    ReadStages stages =
        new ReadStages().match(request.query()).within(request.skip(), request.limit());
    stages.next().appendString("$count", "count").end();
    return stages.toArray();
  }

  /** One document with the values in its field {@code distinct}, where no array holds them. */
  public static RawDocument of(DistinctRequest request) {
    ReadStages stages = new ReadStages().match(request.query());
    BsonBuilder group = stages.next().startDocument("$group").appendNull("_id");
    group.startDocument("distinct").appendString("$addToSet", "$" + request.key()).end();
    group.end().end();
    return stages.toArray();
  }

  /** The documents whose values are distinct's. */
  public static RawDocument matching(DistinctRequest request) {
    return new ReadStages().match(request.query()).toArray();
  }

  private BsonBuilder next() {
    return out.startDocument(count++);
  }

  private ReadStages match(RawDocument filter) {
    if (!filter.isEmpty()) {
      next().appendDocument("$match", filter).end();
    }
    return this;
  }

  private ReadStages rest(FindRequest request) {
    // The natural order is that of the input, and asked for by a hint.
    if (!request.sort().isEmpty() && request.sort().get("$natural") == null) {
      next().appendDocument("$sort", request.sort()).end();
    }
    within(request.skip(), request.limit());
    if (!request.projection().isEmpty()) {
      next().appendDocument("$project", request.projection()).end();
    }
    return this;
  }

  private ReadStages within(long skip, long limit) {
    if (skip > 0) {
      next().appendInt64("$skip", skip).end();
    }
    if (limit > 0) {
      next().appendInt64("$limit", limit).end();
    }
    return this;
  }

  private RawDocument toArray() {
    return out.toDocument();
  }
}
