package dev.wisent.server.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueText;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.OpenTransaction;
import dev.wisent.operation.transaction.TransactionFigures;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.operation.transaction.TransactionLimits;
import dev.wisent.operation.transaction.TransactionStatement;
import dev.wisent.operation.transaction.Transactions;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.concern.ReadConcern;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.cursor.CursorRegistry;
import dev.wisent.server.operation.RunningOperation;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Runs the commands of transactions, and keeps who uses which. Thread-safe. */
public final class ClientTransactions {
  /** How often transactions are looked for whose lifetime is over. */
  public static final int CHECK_SECONDS = 1;

  private final Transactions transactions;
  private final CursorRegistry cursors;
  private final TransactionLog log;
  private final ConcurrentHashMap<TransactionId, Use> uses = new ConcurrentHashMap<>();

  /**
   * What is known of an open transaction.
   *
   * @param client the one that sent its last statement
   * @param api the parameters of the stable API that its first statement had
   * @param readConcern that of its first statement; null if it had none
   */
  private record Use(ClientConnection client, RawDocument api, RawDocument readConcern) {}

  public ClientTransactions(Transactions transactions, CursorRegistry cursors, TransactionLog log) {
    this.transactions = transactions;
    this.cursors = cursors;
    this.log = log;
    transactions.onEnd(this::ended);
  }

  private void ended(EndedTransaction ended) {
    TransactionId id = ended.transaction().id();
    uses.remove(id);
    cursors.killOf(id);
    log.ended(ended);
  }

  /**
   * Runs a statement in its transaction. If one of its writes fails, the transaction is aborted,
   * and the reply tells the failure.
   *
   * @param concern null if the statement has none
   */
  public void run(RunningOperation operation, ReadConcern concern, Runnable work) {
    CommandRequest request = operation.request();
    TransactionId id = request.transaction();
    Use first = request.startsTransaction() ? started(operation) : uses.get(id);
    if (first != null) {
      checkApi(request, first);
      ReadConcern.checkSupportedIn(operation.spec(), first.readConcern());
    }
    OperationContext context = operation.context();
    var statement =
        new TransactionStatement(
            id,
            request.startsTransaction(),
            first == null ? null : first.readConcern(),
            concern == null ? 0 : concern.readTime());
    transactions.run(
        context,
        statement,
        () -> {
          use(id, first, operation);
          work.run();
        });
  }

  private static Use started(RunningOperation operation) {
    RawDocument concern = operation.request().readConcern();
    return new Use(
        operation.client(),
        api(operation.request()),
        concern == null || concern.isEmpty() ? null : concern.detached());
  }

  /** The transaction is open now, so that its end will be told. */
  private void use(TransactionId id, Use first, RunningOperation operation) {
    Use begun = first == null ? started(operation) : first;
    uses.put(id, new Use(operation.client(), begun.api(), begun.readConcern()));
  }

  private static void checkApi(CommandRequest request, Use first) {
    RawDocument api = api(request);
    if (!api.equals(first.api())) {
      throw new CommandException(
          ErrorCode.API_MISMATCH_ERROR,
          "API parameter mismatch: %s used params %s, the transaction's first command used %s"
              .formatted(request.name(), ValueText.of(api), ValueText.of(first.api())));
    }
  }

  private static RawDocument api(CommandRequest request) {
    if (request.api().version() == null) {
      return RawDocument.EMPTY;
    }
    var out = new BsonBuilder().appendString("apiVersion", request.api().version());
    if (request.api().strict()) {
      out.appendBoolean("apiStrict", true);
    }
    if (request.api().deprecationErrors()) {
      out.appendBoolean("apiDeprecationErrors", true);
    }
    return out.toDocument();
  }

  /**
   * @param time that a coordinator has decided on, as the 64 bits of a BSON timestamp; 0 if none
   *     has
   */
  public void commit(CommandRequest request, OperationContext operation, long time) {
    if (time == 0) {
      checkEnd(request);
      transactions.commit(operation, request.transaction());
    } else {
      transactions.commit(operation, request.transaction(), time);
    }
  }

  /**
   * @param decided whether a coordinator has decided it, for one that may be prepared
   */
  public void abort(CommandRequest request, OperationContext operation, boolean decided) {
    if (decided) {
      transactions.abortDecided(operation, request.transaction());
    } else {
      checkEnd(request);
      transactions.abort(operation, request.transaction());
    }
  }

  private void checkEnd(CommandRequest request) {
    Use use = uses.get(request.transaction());
    if (use != null) {
      checkApi(request, use);
    }
  }

  /** Aborts the transactions of sessions that end. */
  public void abortOf(Predicate<SessionId> sessions) {
    transactions.abortAll(sessions, ErrorCode.INTERRUPTED);
  }

  public void abortExpired() {
    transactions.abortExpired();
  }

  public TransactionLimits limits() {
    return transactions.limits();
  }

  public List<OpenTransaction> open() {
    return transactions.open();
  }

  public TransactionFigures figures() {
    return transactions.figures();
  }

  /** The client that sent the last statement of a transaction; null if that is not known. */
  public ClientConnection clientOf(TransactionId id) {
    Use use = uses.get(id);
    return use == null ? null : use.client();
  }
}
