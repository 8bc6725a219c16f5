package dev.wisent.database.definition;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import java.util.ArrayList;
import java.util.List;

/** Copies the documents of a collection into another one, in natural order. */
final class DocumentCopy {
  private static final int BATCH = 1000;

  private DocumentCopy() {}

  /** A document that does not fit ends the copy. */
  static void run(LocalDatabase part, Namespace from, Namespace to, OperationContext operation) {
    try (ResultCursor documents = part.find(operation, FindRequest.of(from, RawDocument.EMPTY))) {
      List<RawDocument> batch = new ArrayList<>(BATCH);
      RawDocument document;
      while ((document = documents.peek()) != null) {
        batch.add(RawDocument.of(document.toByteArray()));
        documents.take();
        if (batch.size() == BATCH) {
          insert(part, to, batch, operation);
          batch.clear();
        }
      }
      if (!batch.isEmpty()) {
        insert(part, to, batch, operation);
      }
    }
  }

  private static void insert(
      LocalDatabase part, Namespace to, List<RawDocument> batch, OperationContext operation) {
    var failures = part.insert(operation, new InsertRequest(to, batch, true, true)).failures();
    if (!failures.isEmpty()) {
      throw failures.getFirst().error();
    }
  }
}
