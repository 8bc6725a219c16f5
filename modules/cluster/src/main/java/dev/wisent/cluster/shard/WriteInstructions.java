package dev.wisent.cluster.shard;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.DocumentMoves;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.StatementIds;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a router says of how a write is executed, in {@code routing}:
 *
 * <ul>
 *   <li>{@code attempt}: the number of an attempt to execute a retryable write whose shard is not
 *       known before; with {@code register}, that this one begins.
 *   <li>{@code moves}: in a transaction, that an update takes a document away from this shard whose
 *       new key belongs to another one; the reply has it in {@code movedDocuments}.
 *   <li>{@code ranges}: the only keys whose documents a multi-write changes; others are changed
 *       already, by the shard that owned them before.
 *   <li>{@code of}: the session, number, statement and attempt of the retryable write that such a
 *       transaction is made for.
 *   <li>{@code coordinator}: which call of a coordinator it is; see {@link CoordinatorCalls}.
 *   <li>{@code silent}: of a change that several shards make, another one tells change streams.
 * </ul>
 */
final class WriteInstructions {
  private WriteInstructions() {}

  static void read(RunningOperation operation, Ownership ownership) {
    CommandRequest request = operation.request();
    RawDocument routing = request.routing();
    if (routing == null) {
      return;
    }
    OperationContext context = operation.context();
    if (routing.get("ranges") != null || routing.get("earlier") != null) {
      restrict(request, routing, ownership, context);
      return;
    }
    RetryableWrite write = context.retryableWrite();
    if (isSet(routing, "silent")) {
      OperationState.ofMigration(context);
    } else if (routing.get("coordinator") != null) {
      // Its number is looked at before the command runs.
      return;
    } else if (request.isInTransaction() && isSet(routing, "moves")) {
      OperationState.moves(context, new DocumentMoves(ofWrite(routing.get("of"))));
    } else if (write != null && routing.get("attempt") != null) {
      write.attempt(routing.get("attempt").toLong(), isSet(routing, "register"));
    } else {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "'routing' does not fit to this command");
    }
  }

  private static void restrict(
      CommandRequest request, RawDocument routing, Ownership ownership, OperationContext context) {
    Namespace namespace = RoutedRequest.namespaces(request).getFirst();
    OwnedRanges owned = ownership.tables().collection(namespace);
    var all = new ArrayList<OwnedRanges>();
    // Where it is not sharded here, the check of versions refuses what names ranges.
    if (owned != null && routing.get("ranges") != null) {
      all.add(
          new OwnedRanges(
              namespace,
              owned.uuid(),
              owned.key(),
              owned.unique(),
              owned.version(),
              ranges(routing)));
    }
    for (RawDocument earlier : DocumentFields.documents(routing, "earlier")) {
      all.add(
          new OwnedRanges(
              namespace,
              new UUID(0, 0),
              ShardKeyPattern.of(DocumentFields.document(earlier, "key")),
              false,
              ChunkVersion.UNSHARDED,
              ranges(earlier)));
    }
    OperationState.restrict(context, all);
  }

  private static List<ChunkRange> ranges(RawDocument document) {
    return DocumentFields.documents(document, "ranges").stream().map(ChunkRange::of).toList();
  }

  private static boolean isSet(RawDocument routing, String name) {
    RawValue value = routing.get(name);
    return value != null && value.isTruthy();
  }

  /** Null in a transaction of a client. */
  private static RetryableWrite ofWrite(RawValue given) {
    if (given == null) {
      return null;
    }
    RawDocument of = given.asDocument();
    var write =
        new RetryableWrite(
            SessionId.of(of.get("lsid").asDocument()),
            of.get("txnNumber").toLong(),
            StatementIds.from((int) of.get("stmtId").toLong()));
    RawValue attempt = of.get("attempt");
    if (attempt != null) {
      write.attempt(attempt.toLong(), false);
    }
    return write;
  }

  /** Tells the router which documents it has to insert elsewhere. */
  static void appendMoved(BsonBuilder reply, OperationContext operation) {
    DocumentMoves moves = OperationState.moves(operation);
    if (moves == null || moves.moved().isEmpty()) {
      return;
    }
    List<DocumentMoves.Moved> moved = moves.moved();
    reply.startArray("movedDocuments");
    for (int i = 0; i < moved.size(); i++) {
      reply.startDocument(i).appendInt32("index", moved.get(i).index());
      reply.appendDocument("document", moved.get(i).document()).end();
    }
    reply.end();
  }
}
