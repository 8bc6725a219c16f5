package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.security.UserName;
import dev.wisent.security.user.Identity;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ShownCommand;
import dev.wisent.server.connection.ActingFor;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.connection.ConnectedClients;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.BackgroundOperation;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.server.privilege.Principal;
import dev.wisent.server.transaction.ClientTransactions;
import dev.wisent.server.transaction.TransactionDocument;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** The running operations as documents, for currentOp and {@code $currentOp}. */
public final class CurrentOperations {
  private static final int COMMAND_BYTES_MAX = 4096;

  private final OperationRegistry operations;
  private final ConnectedClients clients;
  private final CursorRegistry cursors;
  private final ClientTransactions transactions;
  private final NodeStore store;
  private final IntSupplier port;

  /**
   * @param store null where there is none
   * @param port where clients reach this node
   */
  public CurrentOperations(
      OperationRegistry operations,
      ConnectedClients clients,
      CursorRegistry cursors,
      ClientTransactions transactions,
      NodeStore store,
      IntSupplier port) {
    this.transactions = transactions;
    this.store = store;
    this.operations = operations;
    this.clients = clients;
    this.cursors = cursors;
    this.port = port;
  }

  /** Whether {@code fsync} has locked writes out. */
  boolean writesLocked() {
    return store != null && store.areWritesLocked();
  }

  /** This node, as every entry names it. */
  String host() {
    return HostNames.local() + ":" + port.getAsInt();
  }

  /**
   * @param idleConnections whether connections that are waiting for their next command count too
   * @param idleSessions whether transactions that are waiting for their next statement do
   * @param onlyOf whose operations alone are shown; {@link Principal#UNRESTRICTED} for all
   */
  public List<RawDocument> list(
      OperationContext asking, boolean idleConnections, boolean idleSessions, Principal onlyOf) {
    long now = asking.clock().monotonicNanos();
    long wallMillis = asking.clock().wallMillis();
    var list = new ArrayList<RawDocument>();
    var busy = new HashSet<Long>();
    Map<TransactionId, OpenTransaction> open = openTransactions();
    for (RunningOperation operation : operations.running()) {
      busy.add(operation.client().id());
      if (onlyOf.owns(operation.request().principal().name().orElse(null))) {
        list.add(describe(operation, open, now, wallMillis));
      }
    }
    if (idleSessions) {
      open.values().stream()
          .filter(OpenTransaction::idle)
          .filter(transaction -> isOf(onlyOf, transaction.id()))
          .forEach(transaction -> list.add(describe(transaction)));
    }
    if (idleConnections) {
      for (ClientConnection client : clients.all()) {
        if (!busy.contains(client.id())
            && onlyOf.owns(client.identity().map(Identity::user).orElse(null))) {
          var out = new BsonBuilder();
          appendClient(client, Optional.empty(), out);
          appendActivity(false, wallMillis, out);
          list.add(out.toDocument());
        }
      }
    }
    if (!onlyOf.isRestricted()) {
      for (BackgroundOperation operation : operations.inBackground()) {
        list.add(describe(operation, now, wallMillis));
      }
    }
    return list;
  }

  /** The one that a command runs for, by its context. */
  Principal principalOf(OperationContext operation) {
    return operations.principalOf(operation);
  }

  private static boolean isOf(Principal principal, TransactionId transaction) {
    return !principal.isRestricted() || transaction.session().isOf(principal.sessionDigest());
  }

  private RawDocument describe(BackgroundOperation operation, long now, long wallMillis) {
    var out = new BsonBuilder();
    out.appendString("type", "op");
    out.appendString("host", host());
    out.appendString("desc", operation.description());
    out.appendBoolean("isFromUserConnection", false);
    appendProgress(operation.id(), operation.context(), now, wallMillis, out);
    out.appendString("op", operation.kind());
    out.appendString("ns", operation.namespace());
    appendState(operation.context(), out);
    return out.toDocument();
  }

  private Map<TransactionId, OpenTransaction> openTransactions() {
    return transactions.open().stream()
        .collect(Collectors.toMap(OpenTransaction::id, Function.identity()));
  }

  private RawDocument describe(OpenTransaction idle) {
    var out = new BsonBuilder();
    out.appendString("type", "idleSession");
    out.appendString("host", host());
    out.appendString("desc", "inactive transaction");
    ClientConnection client = transactions.clientOf(idle.id());
    if (client != null) {
      appendOrigin(client, Optional.empty(), out);
    }
    out.appendDocument("lsid", idle.id().session().document());
    TransactionDocument.append(idle, out);
    out.appendBoolean("waitingForLock", false);
    out.appendBoolean("active", false);
    out.startDocument("locks").end();
    out.startDocument("lockStats").end();
    out.appendBoolean("waitingForFlowControl", false);
    out.startDocument("flowControlStats").end();
    return out.toDocument();
  }

  private void appendClient(
      ClientConnection client, Optional<ActingFor> actingFor, BsonBuilder out) {
    out.appendString("type", "op");
    out.appendString("host", host());
    out.appendString("desc", client.description());
    out.appendBoolean("isFromUserConnection", true);
    appendOrigin(client, actingFor, out);
  }

  private static void appendOrigin(
      ClientConnection client, Optional<ActingFor> actingFor, BsonBuilder out) {
    out.appendInt64("connectionId", client.id());
    out.appendString("client", client.remoteAddress());
    UserName login = client.identity().map(Identity::user).orElse(null);
    UserName user = actingFor.map(ActingFor::user).orElse(login);
    if (user != null) {
      appendUser("effectiveUsers", user, out);
    }
    if (actingFor.isPresent() && login != null) {
      appendUser("runBy", login, out);
    }
    if (client.applicationName() != null) {
      out.appendString("appName", client.applicationName());
    }
    if (client.clientMetadata() != null) {
      out.appendDocument("clientMetadata", client.clientMetadata());
    }
  }

  private RawDocument describe(
      RunningOperation operation,
      Map<TransactionId, OpenTransaction> open,
      long now,
      long wallMillis) {
    var out = new BsonBuilder();
    appendClient(operation.client(), operation.client().actingFor(), out);
    if (operation.request().sessionId() != null) {
      out.append("lsid", operation.request().sessionId());
    }
    OpenTransaction transaction =
        operation.request().isInTransaction() ? open.get(operation.request().transaction()) : null;
    if (transaction != null) {
      TransactionDocument.append(transaction, out);
    }
    appendProgress(operation.id(), operation.context(), now, wallMillis, out);
    out.appendString("op", operation.kind());
    out.appendString("ns", operation.namespace());
    appendCommand(operation, out);
    CursorRegistry.Progress cursor =
        operation.spec().name().equals("getMore") ? cursors.usedBy(operation.context()) : null;
    if (cursor != null) {
      CursorDocument.append(cursor, operation.context().clock(), out);
    }
    appendState(operation.context(), out);
    return out.toDocument();
  }

  private static void appendUser(String field, UserName user, BsonBuilder out) {
    out.startArray(field).startDocument(0);
    out.appendString("user", user.user()).appendString("db", user.database());
    out.end().end();
  }

  private void appendProgress(
      int id, OperationContext context, long now, long wallMillis, BsonBuilder out) {
    long micros = Math.max(0, (now - context.startNanos()) / 1000);
    appendActivity(true, wallMillis, out);
    out.appendInt32("opid", id);
    out.appendInt64("secs_running", micros / 1_000_000);
    out.appendInt64("microsecs_running", micros);
  }

  private void appendActivity(boolean active, long wallMillis, BsonBuilder out) {
    out.appendBoolean("threaded", true);
    out.appendBoolean("active", active);
    if (writesLocked()) {
      out.appendBoolean("fsyncLock", true);
    }
    out.appendString("currentOpTime", Instant.ofEpochMilli(wallMillis).toString());
  }

  private static void appendState(OperationContext context, BsonBuilder out) {
    if (context.planSummary() != null) {
      out.appendString("planSummary", context.planSummary());
    }
    OperationProgress progress = context.progress();
    if (progress != null) {
      out.appendString("msg", progress.message());
      out.startDocument("progress");
      out.appendInt64("done", progress.done());
      out.appendInt64("total", progress.total());
      out.end();
      out.appendAll(progress.details());
    }
    out.appendInt32("numYields", 0);
    out.startDocument("locks").end();
    out.appendBoolean("waitingForLock", context.isWaitingForLock());
    out.startDocument("lockStats").end();
    out.appendBoolean("waitingForFlowControl", false);
    out.startDocument("flowControlStats").end();
    out.appendBoolean("killPending", context.isKilled());
  }

  private static void appendCommand(RunningOperation operation, BsonBuilder out) {
    out.appendDocument(
        "command",
        ShownCommand.of(
            operation.command(),
            operation.spec().name(),
            operation.request().comment(),
            COMMAND_BYTES_MAX));
  }
}
