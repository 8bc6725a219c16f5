package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.QueryContexts;
import dev.wisent.database.cursor.ListCursor;
import dev.wisent.database.operation.FindRequest;
import dev.wisent.database.operation.ResultCursor;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.List;
import java.util.Optional;

/**
 * {@code local.system.replset}: the configuration as a collection of one document, which shells and
 * tools look at. It can be found, and nothing else.
 */
public final class SystemReplset {
  private static final Namespace NAMESPACE = new Namespace("local", "system.replset");

  private final Optional<ReplicaSet> set;

  public SystemReplset(Optional<ReplicaSet> set) {
    this.set = set;
  }

  /** Empty if something else is asked for. */
  public Optional<ResultCursor> find(FindRequest request, OperationContext operation) {
    if (set.isEmpty() || !request.namespace().equals(NAMESPACE)) {
      return Optional.empty();
    }
    if (!request.projection().isEmpty()) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "a projection of " + NAMESPACE + " is not supported yet");
    }
    MatchExpression matching = MatchParser.parse(request.filter(), QueryContexts.of(operation));
    List<RawDocument> documents =
        set.get().config().map(SystemReplset::document).stream()
            .filter(matching::matches)
            .skip(request.skip())
            .toList();
    return Optional.of(new ListCursor(documents));
  }

  private static RawDocument document(ReplicaSetConfig config) {
    var out = new BsonBuilder();
    ConfigWriter.append(out, config);
    return out.toDocument();
  }
}
