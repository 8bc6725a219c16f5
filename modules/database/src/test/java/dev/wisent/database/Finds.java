package dev.wisent.database;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.FindRequest.Tailing;
import dev.wisent.query.collation.CollationChoice;

/** A find on the collection of {@link TestDatabase}, with the arguments that differ from none. */
public final class Finds {
  private final FindRequest.Builder request = new FindRequest.Builder();

  private Finds() {}

  public static Finds all() {
    return new Finds();
  }

  public static Finds of(String filter) {
    var find = new Finds();
    find.request.filter(RawDocument.parse(filter));
    return find;
  }

  public Finds projection(String json) {
    request.projection(RawDocument.parse(json));
    return this;
  }

  public Finds sort(String json) {
    request.sort(RawDocument.parse(json));
    return this;
  }

  /** An index name in quotes, or a document. */
  public Finds hint(String json) {
    request.hint(TestDatabase.value(json));
    return this;
  }

  public Finds skip(long count) {
    request.skip(count);
    return this;
  }

  public Finds limit(long count) {
    request.limit(count);
    return this;
  }

  public Finds min(String json) {
    request.min(RawDocument.parse(json));
    return this;
  }

  public Finds max(String json) {
    request.max(RawDocument.parse(json));
    return this;
  }

  public Finds returnKey() {
    request.returnKey(true);
    return this;
  }

  public Finds showRecordId() {
    request.showRecordId(true);
    return this;
  }

  public Finds tailing(Tailing kind) {
    request.tailing(kind);
    return this;
  }

  public Finds collation(String json) {
    request.collation(CollationChoice.of(RawDocument.parse(json)));
    return this;
  }

  public FindRequest toRequest() {
    return request.build(TestDatabase.NAMESPACE);
  }
}
