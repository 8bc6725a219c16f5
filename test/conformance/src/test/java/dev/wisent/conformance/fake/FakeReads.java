package dev.wisent.conformance.fake;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Evaluates filters, sorts and pipelines over lists. Callers hold the lock of the store. */
final class FakeReads {
  private final FakeStore store;

  FakeReads(FakeStore store) {
    this.store = store;
  }

  /** The documents of a collection; none if there is no such collection. */
  List<RawDocument> documents(Namespace namespace, RawValue hint) {
    FakeCollection collection = store.find(namespace);
    if (collection == null) {
      return List.of();
    }
    checkHint(collection, hint);
    return collection.documents;
  }

  /**
   * The documents that match, in an order.
   *
   * @param sort empty for the given order
   */
  List<RawDocument> matching(
      Stream<RawDocument> documents,
      RawDocument filter,
      RawDocument sort,
      QueryContext context,
      OperationContext operation) {
    MatchExpression parsed = MatchParser.parse(filter, context);
    List<RawDocument> matching = documents.filter(parsed::matches).toList();
    return sort.isEmpty() || sort.get("$natural") != null
        ? matching
        : inOrder(matching, sort, context, operation);
  }

  /** The same objects, so that they can be found again in the collection. */
  private List<RawDocument> inOrder(
      List<RawDocument> documents,
      RawDocument sort,
      QueryContext context,
      OperationContext operation) {
    var numbered = new ArrayList<RawDocument>();
    for (int i = 0; i < documents.size(); i++) {
      numbered.add(
          new BsonBuilder().appendAll(documents.get(i)).appendInt32("$number", i).toDocument());
    }
    var stages = new BsonBuilder();
    stages.startDocument(0).appendDocument("$sort", sort).end();
    Pipeline pipeline = Pipeline.parse(stages.toDocument(), context);
    return run(pipeline, numbered.stream(), new Namespace("", ""), operation).stream()
        .map(document -> documents.get((int) document.get("$number").toLong()))
        .toList();
  }

  private static void checkHint(FakeCollection collection, RawValue hint) {
    if (hint == null || (hint.isDocument() && hint.asDocument().get("$natural") != null)) {
      return;
    }
    String field = hint.isString() ? "name" : "key";
    if (collection.indexes.stream().noneMatch(index -> index.get(field).equals(hint))) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "hint provided does not correspond to an existing index");
    }
  }

  /** All results of a pipeline. */
  List<RawDocument> run(
      Pipeline pipeline,
      Stream<RawDocument> input,
      Namespace namespace,
      OperationContext operation) {
    Iterator<RawDocument> documents = input.iterator();
    try (var run = new FakeStageRun(store, this, namespace, operation)) {
      DocumentStream stream =
          pipeline.over(() -> documents.hasNext() ? documents.next() : null, 0, run);
      var results = new ArrayList<RawDocument>();
      for (RawDocument document; (document = stream.next()) != null; ) {
        operation.checkInterrupt();
        results.add(FakeCollection.copy(document));
      }
      return results;
    }
  }

  QueryContext context(Namespace namespace, OperationContext operation) {
    return QueryContexts.of(operation, store.collation(namespace));
  }
}
