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
import dev.wisent.cluster.shard.transaction.CommitFigures.Step;
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

  /**
   * What a shard answers that has heard the decision before, and forgotten the transaction or gone
   * on with the next one of the session, or that had nothing to prepare. One that is prepared
   * answers none of these.
   */
  private static final Set<Integer> HEARD_BEFORE =
      Set.of(
          ErrorCode.NO_SUCH_TRANSACTION.code(),
          ErrorCode.TRANSACTION_TOO_OLD.code(),
          ErrorCode.TRANSACTION_COMMITTED.code());

  private final Supplier<ShardCalls> calls;
  private final Supplier<String> shard;
  private final CommitOutcomes outcomes;
  private final CommitFigures figures;

  /**
   * @param shard the name of this shard, which participants ask for the outcome
   */
  CommitCoordinator(
      Supplier<ShardCalls> calls,
      Supplier<String> shard,
      CommitOutcomes outcomes,
      CommitFigures figures) {
    this.calls = calls;
    this.shard = shard;
    this.outcomes = outcomes;
    this.figures = figures;
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
        Phase.deciding(
            "prepare", context -> figures.during(Step.WAITING_FOR_VOTES, () -> prepare(context))),
        Phase.untilDone("commit", this::commit));
  }

  private RawDocument prepare(PhaseContext context) {
    long time = 0;
    List<String> open = participants(context.arguments());
    for (int attempt = 1; !open.isEmpty(); attempt++) {
      var again = new ArrayList<String>();
      for (ShardReply reply :
          send(
              context,
              open,
              command ->
                  command
                      .appendInt32("prepareTransaction", 1)
                      .appendString("coordinatorId", shard.get()))) {
        int error = reply.isOk() ? 0 : RemoteErrorException.numberOf(reply.error());
        if (error == ErrorCode.TRANSACTION_COMMITTED.code()) {
          // It had nothing to prepare, or the decision stands: it is not to be aborted elsewhere.
          continue;
        }
        if (reply.isOk()) {
          long prepared = reply.body().get("prepareTimestamp").asInt64();
          time = Long.compareUnsigned(prepared, time) > 0 ? prepared : time;
        } else if (attempt < PREPARE_ATTEMPTS_MAX && RetryableErrors.isRetryable(error)) {
          again.add(reply.request().shard());
        } else {
          throw aborted(context, reply.error());
        }
      }
      open = again;
    }
    return new BsonBuilder(32).appendTimestamp(TIME, time).toDocument();
  }

  /** As in MongoDB clients are told at once what no transaction of several shards can do. */
  private static CommandException aborted(PhaseContext context, CommandException vote) {
    if (vote.code() == ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION) {
      return new CommandException(vote.code(), vote.getMessage());
    }
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Transaction "
            + context.arguments().get("txnNumber").toLong()
            + " was aborted :: caused by :: "
            + vote.getMessage());
  }

  private void commit(PhaseContext context) {
    RawValue time = context.data().get(TIME);
    outcomes.committed(context.resource(), time.asInt64());
    tell(context, command -> command.appendInt32("commitTransaction", 1).append(TIME, time));
  }

  @Override
  public void undo(PhaseContext context) {
    outcomes.aborted(context.resource());
    tell(
        context,
        command -> command.appendInt32("abortTransaction", 1).appendBoolean("decided", true));
    figures.aborted();
  }

  @Override
  public RawDocument result(PhaseContext context) {
    figures.committed();
    return RawDocument.EMPTY;
  }

  /** Fails, to be repeated, unless all have heard it. */
  private void tell(PhaseContext context, Function<BsonBuilder, BsonBuilder> decision) {
    List<ShardReply> replies =
        figures.during(
            Step.TELLING, () -> send(context, participants(context.arguments()), decision));
    for (ShardReply reply : replies) {
      if (!reply.isOk() && !HEARD_BEFORE.contains(RemoteErrorException.numberOf(reply.error()))) {
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
