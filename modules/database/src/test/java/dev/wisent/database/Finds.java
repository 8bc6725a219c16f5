package dev.wisent.database;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.query.collation.CollationChoice;

/** A find on the collection of {@link TestDatabase}, with the arguments that differ from none. */
public final class Finds {
  private RawDocument filter = RawDocument.EMPTY;
  private RawDocument projection = RawDocument.EMPTY;
  private RawDocument sort = RawDocument.EMPTY;
  private RawValue hint;
  private long skip;
  private long limit;
  private RawDocument min;
  private RawDocument max;
  private boolean returnKey;
  private boolean showRecordId;
  private Tailing tailing = Tailing.NONE;
  private CollationChoice collation = CollationChoice.INHERITED;

  private Finds() {}

  public static Finds all() {
    return new Finds();
  }

  public static Finds of(String filter) {
    var find = new Finds();
    find.filter = RawDocument.parse(filter);
    return find;
  }

  public Finds projection(String json) {
    projection = RawDocument.parse(json);
    return this;
  }

  public Finds sort(String json) {
    sort = RawDocument.parse(json);
    return this;
  }

  /** An index name in quotes, or a document. */
  public Finds hint(String json) {
    hint = TestDatabase.value(json);
    return this;
  }

  public Finds skip(long count) {
    skip = count;
    return this;
  }

  public Finds limit(long count) {
    limit = count;
    return this;
  }

  public Finds min(String json) {
    min = RawDocument.parse(json);
    return this;
  }

  public Finds max(String json) {
    max = RawDocument.parse(json);
    return this;
  }

  public Finds returnKey() {
    returnKey = true;
    return this;
  }

  public Finds showRecordId() {
    showRecordId = true;
    return this;
  }

  public Finds tailing(Tailing kind) {
    tailing = kind;
    return this;
  }

  public Finds collation(String json) {
    collation = CollationChoice.of(RawDocument.parse(json));
    return this;
  }

  public FindRequest toRequest() {
    return new FindRequest(
        TestDatabase.NAMESPACE,
        filter,
        projection,
        sort,
        hint,
        skip,
        limit,
        min,
        max,
        returnKey,
        showRecordId,
        tailing,
        collation,
        null,
        PipelineDependencies.NONE);
  }
}
