package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindAndModifyRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.ShardTargeter;
import dev.wisent.sharding.ShardTargets;
import java.util.Set;

/** Which shards a statement is for, by the rules of MongoDB 8.0. */
final class WriteTargeting {
  private final UpsertDocuments upserts;

  WriteTargeting(UpsertDocuments upserts) {
    this.upserts = upserts;
  }

  StatementTarget update(
      UpdateStatement statement, CollectionRouting routing, OperationContext operation) {
    try {
      if (statement.upsert()) {
        return upsert(statement, routing, operation);
      }
      return of(
          shards(statement.query(), statement.collation(), routing, operation), statement.multi());
    } catch (CommandException e) {
      return new StatementTarget.Refused(e);
    }
  }

  StatementTarget delete(
      DeleteStatement statement, CollectionRouting routing, OperationContext operation) {
    try {
      return of(
          shards(statement.query(), statement.collation(), routing, operation), statement.multi());
    } catch (CommandException e) {
      return new StatementTarget.Refused(e);
    }
  }

  StatementTarget findAndModify(
      FindAndModifyRequest request, CollectionRouting routing, OperationContext operation) {
    return request.isRemoval()
        ? delete(request.toDelete(), routing, operation)
        : update(request.toUpdate(), routing, operation);
  }

  private static StatementTarget of(Set<String> shards, boolean multi) {
    return multi || shards.size() == 1
        ? new StatementTarget.Shards(shards)
        : new StatementTarget.Unknown();
  }

  /**
   * The shard that looks for the document also inserts it, if the filter has the whole shard key
   * and the new document the same one. Otherwise the new document may belong to another shard.
   */
  private StatementTarget upsert(
      UpdateStatement statement, CollectionRouting routing, OperationContext operation) {
    Collation collation = collation(statement.collation(), routing);
    ShardTargets targets = targets(statement.query(), collation, routing, operation);
    if (!targets.isExact()) {
      if (statement.multi()) {
        throw new CommandException(
            ErrorCode.SHARD_KEY_NOT_FOUND,
            "Failed to target upsert by query :: could not extract exact shard key");
      }
      return new StatementTarget.Unknown();
    }
    String shard = targets.shards().iterator().next();
    if (touchesKey(statement.update(), routing)) {
      RawDocument document = upserts.build(statement, collation(routing), operation);
      byte[] inserted = routing.key().encodedKeyOf(document);
      if (!routing.table().shardOf(inserted).equals(shard)) {
        return new StatementTarget.Unknown();
      }
    }
    return StatementTarget.Shards.one(shard);
  }

  /** Whether a document that an update makes may have another key than the filter says. */
  static boolean touchesKey(RawValue update, CollectionRouting routing) {
    if (update.isArray()) {
      return true;
    }
    ElementCursor operators = update.elements();
    while (operators.next()) {
      if (!operators.nameStartsWith('$')) {
        return true;
      }
      if (!operators.value().isDocument()) {
        continue;
      }
      ElementCursor fields = operators.value().elements();
      while (fields.next()) {
        if (isOfKey(fields.name(), routing) || operators.name().equals("$rename")) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOfKey(String path, CollectionRouting routing) {
    ElementCursor fields = routing.key().pattern().elements();
    while (fields.next()) {
      if (firstName(fields.name()).equals(firstName(path))) {
        return true;
      }
    }
    return false;
  }

  private static String firstName(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  private static Set<String> shards(
      RawDocument query,
      CollationChoice collation,
      CollectionRouting routing,
      OperationContext operation) {
    return targets(query, collation(collation, routing), routing, operation).shards();
  }

  private static ShardTargets targets(
      RawDocument query,
      Collation collation,
      CollectionRouting routing,
      OperationContext operation) {
    return new ShardTargeter(routing.table())
        .ofFilter(query, QueryContexts.of(operation, collation));
  }

  private static Collation collation(CollationChoice choice, CollectionRouting routing) {
    return choice.or(collation(routing));
  }

  private static Collation collation(CollectionRouting routing) {
    return routing.defaultCollation().isEmpty()
        ? null
        : Collation.parse(routing.defaultCollation());
  }
}
