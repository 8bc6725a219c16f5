package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.TopLevelFields;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.CollectionRouting;
import java.util.List;

/**
 * Recognises, from the bytes of a command, writes that are for one shard as a whole. Those go there
 * as they came. Where it is not obvious the answer is no, and the statements are looked at one by
 * one; so is a command that is wrong, for it has no place to go to.
 */
public final class OneShardWrites {
  /** Room in a message for what is added to the client's. */
  private static final int ADDED_BYTES = 64 * 1024;

  private final CollectionRouting routing;
  private String shard;

  private OneShardWrites(CollectionRouting routing) {
    this.routing = routing;
  }

  /** The shard that all statements are for; null where there may be several. */
  public static String shardOf(String command, CommandRequest request, CollectionRouting routing) {
    if (!routing.defaultCollation().isEmpty()
        || isUnacknowledged(request)
        || request.argumentBytes() > Limits.MESSAGE_BYTES_MAX - ADDED_BYTES) {
      return null;
    }
    var writes = new OneShardWrites(routing);
    boolean one =
        switch (command) {
          case "insert" -> writes.all(request, "documents", writes::addDocument);
          case "update" -> writes.all(request, "updates", writes::addUpdate);
          case "delete" -> writes.all(request, "deletes", writes::addStatement);
          case "findAndModify" -> writes.addFindAndModify(request.body());
          default -> false;
        };
    return one ? writes.shard : null;
  }

  /** Shards have to tell what they did also where the client does not want to know. */
  private static boolean isUnacknowledged(CommandRequest request) {
    RawDocument concern = request.writeConcern();
    RawValue members = concern == null ? null : concern.get("w");
    return members != null && members.isNumber() && members.toLong() == 0;
  }

  private interface Statements {
    /** Whether a statement is for the shard that those before it are for. */
    boolean add(RawDocument statement);
  }

  private boolean all(CommandRequest request, String field, Statements statements) {
    List<RawDocument> beside = request.sequence(field);
    if (beside != null) {
      for (RawDocument statement : beside) {
        if (!statements.add(statement)) {
          return false;
        }
      }
      return true;
    }
    RawValue inBody = request.body().get(field);
    if (inBody == null || !inBody.isArray()) {
      return false;
    }
    ElementCursor each = inBody.elements();
    while (each.next()) {
      if (!each.value().isDocument() || !statements.add(each.value().asDocument())) {
        return false;
      }
    }
    return true;
  }

  /** A document without an _id gets one here, so that each attempt to insert it has the same. */
  private boolean addDocument(RawDocument document) {
    if (TopLevelFields.id(document) == null) {
      return false;
    }
    try {
      return addKey(routing.key().encodedKeyOf(document));
    } catch (CommandException refused) {
      return false;
    }
  }

  private boolean addUpdate(RawDocument statement) {
    return !mayInsertElsewhere(statement, statement.get("u")) && addStatement(statement);
  }

  private boolean addStatement(RawDocument statement) {
    return addFilter(statement, statement.get("q"));
  }

  /** An error about a document that moves is not one of a statement, which could be resumed. */
  private boolean addFindAndModify(RawDocument body) {
    RawValue update = body.get("update");
    return (update == null || !touchesKey(update)) && addFilter(body, body.get("query"));
  }

  private boolean addFilter(RawDocument statement, RawValue filter) {
    return filter != null
        && filter.isDocument()
        && statement.get("collation") == null
        && addKey(routing.key().encodedKeyOfEquality(filter.asDocument(), null));
  }

  /** Whether the document of an upsert may belong on another shard than the filter is for. */
  private boolean mayInsertElsewhere(RawDocument statement, RawValue update) {
    RawValue upsert = statement.get("upsert");
    return upsert != null && (update == null || touchesKey(update));
  }

  private boolean touchesKey(RawValue update) {
    return (!update.isDocument() && !update.isArray())
        || WriteTargeting.touchesKey(update, routing);
  }

  private boolean addKey(byte[] key) {
    if (key == null) {
      return false;
    }
    String owner = routing.table().shardOf(key);
    if (shard == null) {
      shard = owner;
    }
    return shard.equals(owner);
  }
}
