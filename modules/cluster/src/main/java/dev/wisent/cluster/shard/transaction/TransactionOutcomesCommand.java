package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.operation.transaction.TransactionId;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code _shardsvrTransactionOutcomes}: what came of transactions whose commits this shard
 * coordinates, {@code transactions: [{lsid, txnNumber}, ..]}. One that it does not know is aborted
 * before the answer, and cannot commit any more.
 */
public final class TransactionOutcomesCommand implements Command {
  public static final String NAME = "_shardsvrTransactionOutcomes";

  private final TransactionCoordination coordination;

  public TransactionOutcomesCommand(TransactionCoordination coordination) {
    this.coordination = coordination;
  }

  static RawDocument request(List<TransactionId> transactions) {
    var command = new BsonBuilder(256).appendInt32(NAME, 1).startArray("transactions");
    for (int i = 0; i < transactions.size(); i++) {
      TransactionId id = transactions.get(i);
      command.startDocument(Integer.toString(i));
      command.appendDocument("lsid", id.session().document());
      command.appendInt64("txnNumber", id.number()).end();
    }
    return command.end().toDocument();
  }

  /** The outcomes in a reply, in the order of the request. */
  static List<TransactionOutcome> outcomes(RawDocument reply) {
    var outcomes = new ArrayList<TransactionOutcome>();
    ElementCursor each = reply.get("outcomes").elements();
    while (each.next()) {
      outcomes.add(TransactionOutcome.of(each.value().asDocument()));
    }
    return outcomes;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    ArgumentReader arguments = ArgumentReader.of(request);
    List<TransactionId> transactions = null;
    while (arguments.next()) {
      switch (arguments.name()) {
        case "transactions" -> transactions = transactions(arguments.value());
        default -> arguments.unknown();
      }
    }
    if (transactions == null) {
      throw ArgumentTypes.missing(NAME + ".transactions");
    }
    reply.startArray("outcomes");
    for (int i = 0; i < transactions.size(); i++) {
      reply.appendDocument(i, outcome(context.operation(), transactions.get(i)).toDocument());
    }
    reply.end();
  }

  private TransactionOutcome outcome(OperationContext operation, TransactionId id) {
    try {
      return coordination.outcome(operation, id);
    } catch (CommandException e) {
      if (e.code() == ErrorCode.TRANSACTION_TOO_OLD) {
        return TransactionOutcome.UNKNOWN;
      }
      throw e;
    }
  }

  private static List<TransactionId> transactions(RawValue given) {
    var transactions = new ArrayList<TransactionId>();
    ElementCursor each = given.elements();
    while (each.next()) {
      RawDocument fields = each.value().isDocument() ? each.value().asDocument() : null;
      RawValue lsid = fields == null ? null : fields.get("lsid");
      RawValue number = fields == null ? null : fields.get("txnNumber");
      if (lsid == null || !lsid.isDocument() || number == null || !number.isNumber()) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH, "a transaction is a document with lsid and txnNumber");
      }
      transactions.add(new TransactionId(SessionId.of(lsid.asDocument()), number.toLong()));
    }
    return transactions;
  }
}
