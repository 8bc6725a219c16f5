package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardRequest.Purpose;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ReadPoint;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.connection.ActingFor;
import dev.wisent.wire.client.HostSelector;
import java.util.concurrent.TimeUnit;

/** Adds to a command for a shard what it carries of the client's request. */
public final class CallBody {
  /** Passed on as they came. */
  private static final String[] OF_EVERY_COMMAND = {
    "comment", "apiVersion", "apiStrict", "apiDeprecationErrors"
  };

  private CallBody() {}

  static RawDocument of(OperationContext operation, ShardRequest request) {
    var out = new BsonBuilder(request.command().length() + 256);
    out.appendAll(request.command());
    Purpose purpose = request.purpose();
    RoutedOperation routed = RoutedOperation.of(operation);
    if (routed != null && request.command().get(ActingFor.FIELD) == null) {
      appendUser(out, routed.request());
    }
    if (routed != null && !purpose.isOfRouter()) {
      appendClient(out, request, routed, operation.readPoint());
      if (purpose == Purpose.READ) {
        appendPreference(out, request, routed);
      }
    }
    if (purpose != Purpose.CURSOR) {
      appendTimeLeft(out, request.command(), operation);
    }
    return out.toDocument();
  }

  /**
   * @param readPoint the time that all shards read at; null for the newest state of each
   */
  private static void appendClient(
      BsonBuilder out, ShardRequest request, RoutedOperation routed, ReadPoint readPoint) {
    CommandRequest client = routed.request();
    // The session with its user, which this router has found out.
    appendMissing(out, request.command(), "lsid", client.sessionId());
    for (String name : OF_EVERY_COMMAND) {
      appendMissing(out, request.command(), name, client.body().get(name));
    }
    Purpose purpose = request.purpose();
    if (client.isInTransaction()) {
      appendMissing(out, request.command(), "txnNumber", client.body().get("txnNumber"));
      appendMissing(out, request.command(), "autocommit", client.body().get("autocommit"));
      appendStart(out, request.shard(), routed);
      return;
    }
    if (purpose == Purpose.READ && readPoint != null) {
      out.startDocument("readConcern").appendString("level", "snapshot");
      out.appendTimestamp("atClusterTime", readPoint.timestamp()).end();
    } else if (purpose == Purpose.READ) {
      appendMissing(out, request.command(), "readConcern", client.body().get("readConcern"));
    }
    if (purpose == Purpose.WRITE) {
      appendMissing(out, request.command(), "writeConcern", client.body().get("writeConcern"));
      appendMissing(out, request.command(), "txnNumber", client.body().get("txnNumber"));
    }
  }

  /** Shards show it, and name it in the audit log. */
  private static void appendUser(BsonBuilder out, CommandRequest client) {
    RawDocument user = ActingFor.argument(client.principal());
    if (user != null) {
      out.appendDocument(ActingFor.FIELD, user);
    }
  }

  private static void appendStart(BsonBuilder out, String shard, RoutedOperation routed) {
    if (routed.transaction() != null) {
      out.appendAll(routed.transaction().fieldsFor(shard));
    }
  }

  private static void appendMissing(
      BsonBuilder out, RawDocument command, String name, RawValue value) {
    if (value != null && command.get(name) == null) {
      out.append(name, value);
    }
  }

  private static void appendPreference(
      BsonBuilder out, ShardRequest request, RoutedOperation routed) {
    HostSelector hosts = request.hosts() == null ? routed.readers() : request.hosts();
    if (hosts.mode() != HostSelector.Mode.PRIMARY
        && request.command().get("$readPreference") == null) {
      out.appendDocument("$readPreference", hosts.toDocument());
    }
  }

  private static void appendTimeLeft(
      BsonBuilder out, RawDocument command, OperationContext operation) {
    if (operation.nanosLeft() != Long.MAX_VALUE && command.get("maxTimeMS") == null) {
      out.appendInt64("maxTimeMS", millisLeft(operation));
    }
  }

  /** What is left of the operation's time, for {@code maxTimeMS}. */
  static long millisLeft(OperationContext operation) {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(operation.nanosLeft()));
  }

  /** A client's command for a shard, which may begin its part of a transaction with it. */
  public static RawDocument forwarded(
      OperationContext operation, String shard, RawDocument command, RawDocument versions) {
    RoutedTransaction transaction = RoutedOperation.of(operation).transaction();
    if (transaction == null) {
      return forwarded(operation, command, versions);
    }
    RawDocument start = transaction.fieldsFor(shard);
    var added = new BsonBuilder(versions.length() + start.length());
    added.appendAll(versions).appendAll(start);
    return forwarded(operation, RoutedTransaction.withoutStart(command), added.toDocument());
  }

  /**
   * A client's command as it came, with versions added and the time that is left.
   *
   * @param added the versions
   */
  public static RawDocument forwarded(
      OperationContext operation, RawDocument command, RawDocument added) {
    var out = new BsonBuilder(command.length() + added.length() + 16);
    ElementCursor fields = command.elements();
    RoutedOperation routed = RoutedOperation.of(operation);
    RawValue session = routed == null ? null : routed.request().sessionId();
    boolean getMore = false;
    for (boolean first = true; fields.next(); first = false) {
      String name = fields.name();
      getMore |= first && name.equals("getMore");
      if (name.equals("maxTimeMS") && !getMore && operation.nanosLeft() != Long.MAX_VALUE) {
        out.appendInt64(name, millisLeft(operation));
      } else if (name.equals("lsid") && session != null) {
        out.append(name, session);
      } else if (!name.equals("$clusterTime")) {
        out.appendElement(fields);
      }
    }
    if (routed != null) {
      appendUser(out, routed.request());
    }
    return out.appendAll(added).toDocument();
  }
}
