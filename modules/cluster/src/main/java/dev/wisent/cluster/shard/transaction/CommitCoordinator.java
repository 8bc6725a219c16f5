package dev.wisent.cluster.shard.transaction;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RetryableErrors;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Commits a transaction of several shards in two phases. All are asked to prepare; when all have,
 * it is stored that the transaction commits, at the greatest time of their preparations; then all
 * are told. Where one cannot prepare it is stored that the transaction is aborted. What is stored
 * is carried out after every crash.
 */
final class CommitCoordinator implements Coordinator {
  static final String TYPE = "commitTransaction";

  /** The time of the commit, in what is stored. */
  static final String TIME = "commitTimestamp";

  /** How often a shard is asked to prepare that cannot be reached. */
  private static final int PREPARE_ATTEMPTS_MAX = 5;

  /** What a shard answers that has nothing to abort. */
  private static final Set<Integer> ABORTED_BEFORE =
      Set.of(
          ErrorCode.NO_SUCH_TRANSACTION.code(),
          ErrorCode.TRANSACTION_TOO_OLD.code(),
          ErrorCode.TRANSACTION_COMMITTED.code());

  private final Supplier<ShardCalls> calls;
  private final CommitOutcomes outcomes;

  CommitCoordinator(Supplier<ShardCalls> calls, CommitOutcomes outcomes) {
    this.calls = calls;
    this.outcomes = outcomes;
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    return Set.of();
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.deciding("prepare", this::prepare), Phase.untilDone("commit", this::commit));
  }

  private RawDocument prepare(PhaseContext context) {
    long time = 0;
    List<String> open = participants(context.arguments());
    for (int attempt = 1; !open.isEmpty(); attempt++) {
      var again = new ArrayList<String>();
      for (ShardReply reply :
          send(context, open, command -> command.appendInt32("prepareTransaction", 1))) {
        if (reply.isOk()) {
          long prepared = reply.body().get("prepareTimestamp").asInt64();
          time = Long.compareUnsigned(prepared, time) > 0 ? prepared : time;
        } else if (attempt < PREPARE_ATTEMPTS_MAX
            && RetryableErrors.isRetryable(RemoteErrorException.numberOf(reply.error()))) {
          again.add(reply.request().shard());
        } else {
          throw aborted(context, reply.error());
        }
      }
      open = again;
    }
    return new BsonBuilder(32).appendTimestamp(TIME, time).toDocument();
  }

  private static CommandException aborted(PhaseContext context, CommandException vote) {
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Transaction "
            + context.arguments().get("txnNumber").toLong()
            + " was aborted :: caused by :: "
            + vote.getMessage());
  }

  private void commit(PhaseContext context) {
    outcomes.committed(context.resource());
    RawValue time = context.data().get(TIME);
    tell(
        context,
        command -> command.appendInt32("commitTransaction", 1).append(TIME, time),
        Set.of());
  }

  @Override
  public void undo(PhaseContext context) {
    outcomes.aborted(context.resource());
    tell(
        context,
        command -> command.appendInt32("abortTransaction", 1).appendBoolean("decided", true),
        ABORTED_BEFORE);
  }

  /** Fails, to be repeated, unless all have heard it. */
  private void tell(
      PhaseContext context, Function<BsonBuilder, BsonBuilder> decision, Set<Integer> alsoDone) {
    for (ShardReply reply : send(context, participants(context.arguments()), decision)) {
      if (!reply.isOk() && !alsoDone.contains(RemoteErrorException.numberOf(reply.error()))) {
        throw reply.error();
      }
    }
  }

  private List<ShardReply> send(
      PhaseContext context, List<String> shards, Function<BsonBuilder, BsonBuilder> command) {
    RawDocument arguments = context.arguments();
    var body = command.apply(new BsonBuilder(256));
    body.append("lsid", arguments.get("lsid")).append("txnNumber", arguments.get("txnNumber"));
    body.appendBoolean("autocommit", false);
    RawDocument built = body.toDocument();
    return calls
        .get()
        .callAll(
            context.operation(),
            shards.stream().map(shard -> ShardRequest.control(shard, "admin", built)).toList());
  }

  private static List<String> participants(RawDocument arguments) {
    var shards = new ArrayList<String>();
    ElementCursor each = arguments.get("participants").elements();
    while (each.next()) {
      shards.add(each.value().asString());
    }
    return shards;
  }
}
