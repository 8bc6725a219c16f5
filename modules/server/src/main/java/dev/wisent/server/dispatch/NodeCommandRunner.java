package dev.wisent.server.dispatch;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.NodeStore;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.ServerServices;
import dev.wisent.server.StoreServices;
import dev.wisent.server.command.CollectionUuidMismatchException;
import dev.wisent.server.command.CollectionUuids;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.TransactionArguments;
import dev.wisent.server.command.concern.DefaultReadConcern;
import dev.wisent.server.command.concern.ReadConcern;
import dev.wisent.server.command.concern.SetMembership;
import dev.wisent.server.command.concern.WriteConcerns;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.server.transaction.ClientTransactions;

/** Runs commands on a node with a store: alone, or as a member of a replica set. */
public final class NodeCommandRunner implements CommandRunner {
  private final WriteConcerns writeConcerns;
  private final DefaultReadConcern readConcerns;
  private final CollectionUuids uuids;
  private final ClientTransactions transactions;
  private final NodeStore store;
  private final CommandInterceptor interceptor;

  /** Null on a standalone. */
  private final SetMembership membership;

  public NodeCommandRunner(ServerServices services, CommandInterceptor interceptor) {
    StoreServices stored = services.store();
    this.interceptor = interceptor;
    this.store = stored.store();
    this.transactions = services.transactions();
    this.uuids = services.uuids();
    ReplicaSet set = stored.replicaSet().orElse(null);
    this.writeConcerns = new WriteConcerns(services.database(), set);
    this.readConcerns = new DefaultReadConcern(services.database(), set, services.clock());
    this.membership =
        set == null
            ? null
            : new SetMembership(set, services.topology(), store.readPoints(), stored.oplog());
  }

  @Override
  public boolean takesTransactionNumbers() {
    return membership != null;
  }

  @Override
  public CommandRequest named(CommandRequest request, CommandSpec spec) {
    return uuids.named(readConcerns.applyTo(request, spec), spec);
  }

  @Override
  public void run(RunningOperation operation, BsonBuilder reply) {
    CommandSpec spec = operation.spec();
    CommandRequest request = operation.request();
    checkWritable(spec);
    ReadConcern concern = before(operation);
    WriteConcerns.Acknowledgement acknowledgement =
        writeConcerns.of(spec, request, operation.context());
    if (TransactionArguments.isStatement(request, spec)) {
      transactions.run(operation, concern, () -> runCommand(operation, reply));
    } else {
      runCommand(operation, reply);
    }
    after(operation, acknowledgement, reply);
  }

  /** What writes besides, such as {@code $out}, is refused where it begins to. */
  private void checkWritable(CommandSpec spec) {
    boolean writes = spec.kind() == CommandKind.WRITE || spec.kind() == CommandKind.DEFINITION;
    if (writes && store.readOnly().isPresent()) {
      throw store.readOnly().get();
    }
  }

  private void runCommand(RunningOperation operation, BsonBuilder reply) {
    CommandSpec spec = operation.spec();
    CommandRequest request = operation.request();
    CollectionUuidMismatchException mismatch = uuids.mismatch(request, spec);
    if (mismatch == null) {
      var context = new CommandContext(operation.client(), operation.context());
      interceptor.run(operation, reply, () -> spec.command().run(request, context, reply));
    } else if (spec.is(CommandTrait.OP_TIME)) {
      operation.context().writes().fail(mismatch.code());
      ErrorReply.appendFirstWriteError(reply, mismatch);
    } else {
      throw mismatch;
    }
  }

  /** Returns the read concern; null if the command has none. */
  private ReadConcern before(RunningOperation operation) {
    ReadConcern concern = ReadConcern.of(operation.request(), operation.spec());
    if (membership != null) {
      membership.before(operation, concern);
    } else if (concern != null) {
      concern.checkStandalone();
    }
    return concern;
  }

  private void after(
      RunningOperation operation,
      WriteConcerns.Acknowledgement acknowledgement,
      BsonBuilder reply) {
    if (membership != null) {
      membership.after(operation.spec(), operation.context(), reply);
    }
    if (acknowledgement != null) {
      OperationContext context = operation.context();
      int failure = acknowledgement.await(context, reply);
      if (failure != 0) {
        membership.stateChanged(failure, reply);
        ErrorReply.appendLabels(
            reply,
            ErrorLabels.ofWriteConcern(operation.request(), context.retryableWrite(), failure));
      }
    }
  }

  @Override
  public void stateChanged(int errorCode, BsonBuilder reply) {
    if (membership != null) {
      membership.stateChanged(errorCode, reply);
    }
  }

  @Override
  public void end(OperationContext operation, int errorCode, BsonBuilder reply) {
    if (membership != null) {
      membership.end(operation, errorCode, reply);
    }
  }

  @Override
  public CommandException faultOf(RuntimeException thrown) {
    return store.faultOf(thrown);
  }
}
