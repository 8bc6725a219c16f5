package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.Namespace;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayList;
import java.util.List;

/** The inserts of documents that an update has taken away from their shard. */
final class MovedInserts {
  private static final String DUPLICATE =
      "Failed to update document's shard key field. There is either an orphan for this document or"
          + " _id for this collection is not globally unique.";

  private MovedInserts() {}

  /**
   * A document that has left its shard.
   *
   * @param index the place of its statement in the batch that the shard got
   */
  record Moved(int index, RawDocument document) {}

  /** Those that a shard's reply tells of. */
  static List<Moved> of(RawDocument reply) {
    RawValue entries = reply.get("movedDocuments");
    if (entries == null) {
      return List.of();
    }
    var moved = new ArrayList<Moved>(1);
    ElementCursor each = entries.elements();
    while (each.next()) {
      RawDocument entry = each.value().asDocument();
      moved.add(new Moved((int) entry.get("index").toLong(), entry.get("document").asDocument()));
    }
    return moved;
  }

  /** The shard that the document leaves has checked it, and has replaced empty timestamps. */
  static SingleWrite.Form insertOf(Namespace namespace, RawDocument document) {
    RawDocument command =
        new BsonBuilder(64)
            .appendString("insert", namespace.collection())
            .appendBoolean("bypassDocumentValidation", true)
            .appendBoolean("bypassEmptyTsReplacement", true)
            .toDocument();
    return new SingleWrite.Form(
        namespace, command, List.of(new DocumentSequence("documents", List.of(document))));
  }

  /** The first error of a write, of the command or of a statement; null if there is none. */
  static CommandException errorOf(ShardReply reply) {
    if (!reply.isOk()) {
      return reply.error();
    }
    RawValue errors = reply.body().get("writeErrors");
    ElementCursor each = errors == null ? null : errors.elements();
    return each != null && each.next() ? RemoteErrorException.of(each.value().asDocument()) : null;
  }

  /** The error of an insert as that of the update. */
  static CommandException ofUpdate(CommandException error) {
    if (error.code() != ErrorCode.DUPLICATE_KEY
        || !(error instanceof RemoteErrorException remote)
        || !isOfId(remote.reply())) {
      return error;
    }
    var out = new BsonBuilder(remote.reply().length() + DUPLICATE.length());
    ElementCursor fields = remote.reply().elements();
    while (fields.next()) {
      if (fields.name().equals("errmsg")) {
        out.appendString("errmsg", DUPLICATE + " :: caused by :: " + error.getMessage());
      } else {
        out.appendElement(fields);
      }
    }
    return RemoteErrorException.of(out.toDocument());
  }

  private static boolean isOfId(RawDocument error) {
    RawValue pattern = error.get("keyPattern");
    return pattern != null && pattern.isDocument() && pattern.asDocument().get("_id") != null;
  }

  /** The reply of the shard that a document has left, where it cannot be inserted elsewhere. */
  static ShardReply failed(ShardReply reply, int index, CommandException error) {
    if (reply.body().get("lastErrorObject") != null) {
      return new ShardReply(reply.request(), reply.host(), null, error);
    }
    var out = new BsonBuilder(256);
    out.appendInt32("n", index).appendInt32("nModified", index).startArray("writeErrors");
    out.startDocument(0).appendInt32("index", index);
    if (error instanceof RemoteErrorException remote) {
      ElementCursor fields = remote.reply().elements();
      while (fields.next()) {
        if (!fields.name().equals("index") && !ShardReply.isOfTheNode(fields.name())) {
          out.appendElement(fields);
        }
      }
    } else {
      out.appendInt32("code", error.code().code()).appendString("errmsg", error.getMessage());
    }
    out.end().end();
    return new ShardReply(reply.request(), reply.host(), out.toDocument(), null);
  }
}
