package dev.wisent.server.script;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import java.util.ArrayList;
import java.util.List;

/** The functions that a database stores in {@code system.js}, for all its other functions. */
public record StoredFunctions(Operations operations) {
  private static final String COLLECTION = "system.js";

  /** All of a database. Reading them is no part of the operation that needs them. */
  public List<RawDocument> read(String database, OperationContext operation) {
    OperationContext own = OperationContext.internal(operation.clock());
    var namespace = new Namespace(database, COLLECTION);
    var stored = new ArrayList<RawDocument>();
    try (ResultCursor found = operations.find(own, FindRequest.of(namespace, RawDocument.EMPTY))) {
      RawDocument document;
      while ((document = found.peek()) != null) {
        stored.add(document.detached());
        found.take();
      }
    }
    return stored;
  }
}
