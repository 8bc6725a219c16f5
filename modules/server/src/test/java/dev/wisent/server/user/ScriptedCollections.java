package dev.wisent.server.user;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.ListCursor;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collections in memory that can only be read, and sometimes not even that. */
final class ScriptedCollections implements Operations {
  private final Map<Namespace, List<RawDocument>> documents = new HashMap<>();
  private final Map<Namespace, Object> versions = new HashMap<>();
  private boolean tellsVersions = true;
  private boolean fails;
  private int reads;

  void put(Namespace namespace, RawDocument document) {
    documents.computeIfAbsent(namespace, each -> new ArrayList<>()).add(document);
    versions.put(namespace, new Object());
  }

  void clear(Namespace namespace) {
    documents.remove(namespace);
    versions.put(namespace, new Object());
  }

  void tellsVersions(boolean tells) {
    tellsVersions = tells;
  }

  void fails(boolean now) {
    fails = now;
  }

  int reads() {
    return reads;
  }

  @Override
  public ResultCursor find(OperationContext operation, FindRequest request) {
    reads++;
    if (fails) {
      throw new CommandException(ErrorCode.HOST_UNREACHABLE, "not now");
    }
    MatchExpression filter = MatchParser.parse(request.filter(), QueryContexts.of(operation));
    return new ListCursor(
        documents.getOrDefault(request.namespace(), List.of()).stream()
            .filter(filter::matches)
            .toList());
  }

  @Override
  public Object version(Namespace namespace) {
    return tellsVersions ? versions.get(namespace) : new Object();
  }

  @Override
  public Collation collation(OperationContext operation, Namespace namespace) {
    return null;
  }

  @Override
  public ResultCursor aggregate(OperationContext operation, AggregateRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public WriteOutcome insert(OperationContext operation, InsertRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public WriteOutcome delete(OperationContext operation, DeleteRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FindAndModifyOutcome findAndModify(
      OperationContext operation, FindAndModifyRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long count(OperationContext operation, CountRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<RawValue> distinct(OperationContext operation, DistinctRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RawDocument explain(OperationContext operation, ExplainRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void awaitDurable(OperationContext operation) {}
}
