package dev.wisent.cluster.router.write;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.CollationChoice;
import java.util.List;

/**
 * Statements that look for documents: those of an update or a delete.
 *
 * @param <S> a statement
 */
abstract class QueryBatch<S> implements StatementBatch {
  private final Namespace namespace;
  private final List<S> statements;
  private final boolean ordered;

  QueryBatch(Namespace namespace, List<S> statements, boolean ordered) {
    this.namespace = namespace;
    this.statements = statements;
    this.ordered = ordered;
  }

  /** A statement as a shard gets it. */
  abstract RawDocument encode(S statement);

  abstract RawDocument query(S statement);

  /** Null for a removal. */
  abstract UpdateStatement update(S statement);

  /** Looks for the document of a statement that changes one. */
  abstract FindRequest.Builder search(S statement);

  /** The same without an upsert. */
  abstract S withoutUpsert(S statement);

  /** The same for what matches this filter, without an upsert. */
  abstract S restrictedTo(S statement, RawDocument filter);

  static FindRequest.Builder search(RawDocument query, CollationChoice collation) {
    return new FindRequest.Builder().filter(query).limit(1).collation(collation);
  }

  final S given(int index) {
    return statements.get(index);
  }

  @Override
  public final Namespace namespace() {
    return namespace;
  }

  @Override
  public final int size() {
    return statements.size();
  }

  @Override
  public final boolean ordered() {
    return ordered;
  }

  @Override
  public final boolean hasVariables() {
    return true;
  }

  @Override
  public final RawDocument statement(int index) {
    return encode(given(index));
  }

  @Override
  public final SingleWrite single(int index, OperationContext operation) {
    return new SingleStatement<>(this, index, operation);
  }
}
