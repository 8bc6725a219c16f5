package dev.wisent.cluster.config.ddl;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ShardCaller;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.cluster.coordinator.PhaseContext;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What the coordinator of a resharding operation asks of shards. All of it can be repeated. */
final class ReshardShards {
  private static final String ADMIN = "admin";
  private static final int ATTEMPTS_MAX = 10;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String type;
  private final ShardCaller shards;

  /**
   * @param type what a client has asked for
   */
  ReshardShards(String type, ShardCaller shards) {
    this.type = type;
    this.shards = shards;
  }

  private Map<String, RawDocument> all(
      PhaseContext context,
      Collection<String> names,
      String command,
      BiConsumer<String, BsonBuilder> arguments) {
    var commands = new LinkedHashMap<String, RawDocument>();
    for (String shard : names) {
      var out = new BsonBuilder().appendString(command, context.resource());
      out.appendUuid("id", context.id());
      arguments.accept(shard, out);
      commands.put(shard, out.toDocument());
    }
    return shards.runAll(context.operation(), ADMIN, commands);
  }

  /**
   * Has donors copy what they own; returns when little is missing. Elections of shards do not end
   * it: the copy of the donor that was concerned begins anew.
   */
  Map<String, RawDocument> copy(PhaseContext context, List<String> donors) {
    for (int attempt = 1; ; attempt++) {
      try {
        return tryCopy(context, donors);
      } catch (CommandException e) {
        context.operation().checkNow();
        boolean passes =
            ShardPrimaries.mayPass(e.code())
                || e.code() == ErrorCode.OPERATION_FAILED
                || ErrorCode.isStateChange(e.code().code());
        if (attempt == ATTEMPTS_MAX || !passes) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private Map<String, RawDocument> tryCopy(PhaseContext context, List<String> donors) {
    RawDocument data = context.data();
    return all(
        context,
        donors,
        "_shardsvrReshardCopy",
        (donor, out) -> {
          out.append("uuid", data.get("uuid")).appendString("donor", donor);
          out.append("temporary", data.get("temporary")).append("newUuid", data.get("newUuid"));
          out.append("key", data.get("key")).append("version", data.get("version"));
          out.append("chunks", data.get("chunks"));
          out.startDocument("originatingCommand").appendString(type, context.resource());
          out.append("key", data.get("key")).end();
        });
  }

  /**
   * Has donors send the last changes.
   *
   * @param millisMax how long that may take
   */
  Map<String, RawDocument> finish(PhaseContext context, List<String> donors, long millisMax) {
    return all(
        context,
        donors,
        "_shardsvrReshardFinish",
        (donor, out) -> out.appendInt64("maxTimeMS", millisMax));
  }

  /**
   * Lets writes of a collection go on, also where a request to keep them out is still on its way.
   *
   * @return the numbers of the next blocks, by shards
   */
  RawDocument unblock(PhaseContext context, List<String> names) {
    var numbers = new BsonBuilder();
    Map<String, RawDocument> replies =
        all(
            context,
            names,
            "_shardsvrUnblockWrites",
            (shard, out) -> majority(out).appendBoolean("again", true));
    replies.forEach((shard, reply) -> numbers.append(shard, reply.get("number")));
    return numbers.toDocument();
  }

  private static BsonBuilder majority(BsonBuilder out) {
    return out.startDocument("writeConcern").appendString("w", "majority").end();
  }

  /**
   * Keeps writes out of a collection on all shards at once.
   *
   * @param numbers of the blocks, by shards
   * @param millisMax how long writes under way may take to end
   * @param boundMillis when shards let writers go on by themselves
   */
  void block(PhaseContext context, RawDocument numbers, long millisMax, long boundMillis) {
    all(
        context,
        ReshardCoordinator.shards(context),
        "_shardsvrBlockWrites",
        (shard, out) -> {
          majority(out).appendInt64("number", DocumentFields.number(numbers, shard));
          out.appendInt64("maxTimeMS", millisMax).appendInt64("boundMillis", boundMillis);
        });
  }

  /**
   * Takes the bound of blocks away; fails where one has ended.
   *
   * @param reads whether routers may not read either
   */
  void hold(PhaseContext context, RawDocument numbers, boolean reads) {
    all(
        context,
        ReshardCoordinator.shards(context),
        "_shardsvrBlockWrites",
        (shard, out) -> {
          majority(out).appendInt64("number", DocumentFields.number(numbers, shard));
          if (reads) {
            out.appendBoolean("reads", true);
          }
        });
  }

  /** Has shards forget what they know of the copy. */
  void end(PhaseContext context, Collection<String> names) {
    each(
        names,
        shard ->
            all(
                context,
                List.of(shard),
                "_shardsvrReshardEnd",
                (any, out) ->
                    out.append(
                        "donors",
                        DocumentFields.arrayOfTexts(
                            DocumentFields.texts(context.data(), "donors")))));
  }

  /** Does something with all shards, also where it fails with one; then it fails with that. */
  static void each(Collection<String> names, Consumer<String> action) {
    CommandException failure = null;
    for (String shard : names) {
      try {
        action.accept(shard);
      } catch (CommandException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
