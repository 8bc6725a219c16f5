package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.wire.DocumentSequence;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One batch under way. It runs in rounds: each sends statements that are not executed yet to the
 * shards that the newest routing names. An ordered batch sends a run of statements for one shard at
 * a time, an unordered one everything at once. What a shard refuses because of a stale version is
 * left for the next round; what it has executed is never sent again.
 */
final class BatchRun {
  /** Rounds of nothing but stale versions, after which the client is told. */
  private static final int IDLE_ROUNDS_MAX = 10;

  /** How often updates that other writes overtake are started over. */
  private static final int STARTED_OVER_MAX = 1000;

  private final WriteShards shards;
  private final KeylessWrites keyless;
  private final MovedDocuments moves;
  private final StatementBatch batch;
  private final OperationContext operation;
  private final BatchResult result = new BatchResult();
  private final BitSet remaining = new BitSet();

  /** Statements for several shards of which one at least has been asked. */
  private final Map<Integer, StatementParts> parts = new HashMap<>();

  private int startedOver;
  private boolean progress;
  private boolean stopped;
  private CommandException stale;

  /** As the current round routes; null where the collection is not sharded. */
  private CollectionRouting routing;

  BatchRun(
      WriteShards shards,
      KeylessWrites keyless,
      MovedDocuments moves,
      StatementBatch batch,
      OperationContext operation) {
    this.shards = shards;
    this.keyless = keyless;
    this.moves = moves;
    this.batch = batch;
    this.operation = operation;
    remaining.set(0, batch.size());
  }

  /**
   * Takes the reply of a shard that has got all statements at once, with errors among them; what it
   * has left undone is executed by {@link #run}.
   */
  void takeForwarded(ShardReply reply) {
    var all = new ShardBatch(reply.request().shard(), 0);
    for (int i = 0; i < batch.size(); i++) {
      all.add(i, RawDocument.EMPTY);
    }
    take(all, reply);
  }

  WriteOutcome run() {
    int idle = 0;
    while (!remaining.isEmpty() && !stopped) {
      operation.checkNow();
      progress = false;
      stale = null;
      Placement placement = shards.placement(operation, batch.namespace());
      routing = placement.sharded();
      if (batch.ordered()) {
        orderedRound(placement);
      } else {
        unorderedRound(placement);
      }
      idle = progress || stale == null ? 0 : idle + 1;
      if (idle == IDLE_ROUNDS_MAX) {
        failRemaining(stale);
      }
    }
    return result.toOutcome();
  }

  private StatementTarget target(int index, Placement placement) {
    return placement.isSharded()
        ? batch.target(index, placement.sharded(), operation)
        : StatementTarget.Shards.one(placement.primaryShard());
  }

  private void orderedRound(Placement placement) {
    int first = remaining.nextSetBit(0);
    switch (target(first, placement)) {
      case StatementTarget.Refused refused -> fail(first, refused.error());
      case StatementTarget.Unknown unknown -> single(first);
      case StatementTarget.Shards to when to.isOne() && !parts.containsKey(first) ->
          send(List.of(startRun(first, to, placement)), placement);
      case StatementTarget.Shards to -> {
        var batches = new LinkedHashMap<String, ShardBatch>();
        if (add(first, to, batches)) {
          send(batches.values(), placement);
        }
      }
    }
  }

  /** The statements from this one on that are for the same shard. */
  private ShardBatch startRun(int first, StatementTarget.Shards to, Placement placement) {
    ShardBatch run = newBatch(to.first());
    int index = first;
    RawDocument statement = batch.statement(index);
    do {
      run.add(index, statement);
      index++;
      if (index == batch.size() || !target(index, placement).equals(to)) {
        break;
      }
      statement = batch.statement(index);
    } while (run.hasRoomFor(statement));
    return run;
  }

  private void unorderedRound(Placement placement) {
    var batches = new LinkedHashMap<String, ShardBatch>();
    var singles = new ArrayList<Integer>(0);
    for (int i = remaining.nextSetBit(0); i >= 0; i = remaining.nextSetBit(i + 1)) {
      switch (target(i, placement)) {
        case StatementTarget.Refused refused -> fail(i, refused.error());
        case StatementTarget.Unknown unknown -> singles.add(i);
        case StatementTarget.Shards to -> add(i, to, batches);
      }
    }
    send(batches.values(), placement);
    singles.forEach(this::single);
  }

  /** False where nothing is sent: shards have done all of it, or have no room in this round. */
  private boolean add(int index, StatementTarget.Shards to, Map<String, ShardBatch> batches) {
    StatementParts known = parts.get(index);
    if (to.isOne() && known == null) {
      return addTo(batches, to.first(), index, StatementRest.ALL);
    }
    known = parts.computeIfAbsent(index, unused -> new StatementParts());
    Map<String, StatementRest> rest = known.rest(to.names(), routing);
    if (rest.isEmpty()) {
      end(index);
      return false;
    }
    RawDocument statement = batch.statement(index);
    for (String name : rest.keySet()) {
      if (rest.get(name).isAll()
          && !batches.computeIfAbsent(name, this::newBatch).hasRoomFor(statement)) {
        return false;
      }
    }
    rest.forEach((name, left) -> addTo(batches, name, index, left));
    known.ask(rest.keySet());
    return true;
  }

  /** What is for some ranges only is sent by itself. */
  private boolean addTo(
      Map<String, ShardBatch> batches, String shard, int index, StatementRest rest) {
    RawDocument statement = batch.statement(index);
    if (!rest.isAll()) {
      ShardBatch alone = newBatch(shard).only(rest);
      alone.add(index, statement);
      batches.put(shard + "/" + index, alone);
      return true;
    }
    ShardBatch of = batches.computeIfAbsent(shard, this::newBatch);
    if (!of.hasRoomFor(statement)) {
      return false;
    }
    of.add(index, statement);
    return true;
  }

  private ShardBatch newBatch(String shard) {
    return new ShardBatch(shard, shards.statementBytesMax(operation));
  }

  private void send(Collection<ShardBatch> batches, Placement placement) {
    List<ShardBatch> sent = batches.stream().filter(each -> each.size() > 0).toList();
    var forms = new ArrayList<SingleWrite.Form>(sent.size());
    for (ShardBatch each : sent) {
      forms.add(
          new SingleWrite.Form(
              batch.namespace(),
              BatchCommand.of(batch, each, operation),
              List.of(new DocumentSequence(batch.field(), each.statements()))));
    }
    List<ShardReply> replies =
        shards.write(operation, placement, sent.stream().map(ShardBatch::shard).toList(), forms);
    for (int i = 0; i < sent.size(); i++) {
      take(sent.get(i), replies.get(i));
    }
    List.copyOf(parts.keySet()).forEach(this::settle);
  }

  /** A statement whose document has to be found first. */
  private void single(int index) {
    ShardReply reply;
    try {
      reply = keyless.run(batch.namespace(), batch.single(index, operation), operation);
    } catch (CommandException e) {
      // Of this statement: the command must not be run again, for others are executed.
      reply = new ShardReply(null, null, null, e);
    }
    take(alone(index, reply.request() == null ? "" : reply.request().shard()), reply);
  }

  private void take(ShardBatch sent, ShardReply reply) {
    if (!reply.isOk()) {
      takeError(sent, reply.error());
      return;
    }
    Map<Integer, RawDocument> errors = result.add(sent, reply.body());
    for (int position = 0; position < sent.size(); position++) {
      RawDocument error = errors.get(position);
      if (error == null) {
        done(sent.indexAt(position), sent.shard());
        continue;
      }
      CommandException failure = RemoteErrorException.of(error);
      if (shards.isStale(error)) {
        stale = failure;
      } else if (MovedDocuments.isMove(failure)) {
        move(sent.indexAt(position), sent.shard());
      } else {
        failPart(sent.indexAt(position), failure);
      }
      if (batch.ordered()) {
        return; // What comes after it was not executed.
      }
    }
  }

  /** A shard has executed nothing, or it is unknown what. */
  private void takeError(ShardBatch sent, CommandException error) {
    if (shards.isStale(error)) {
      stale = error;
      return;
    }
    if (WriteFailures.endsCommand(error, operation)) {
      throw WriteFailures.ofCommand(error, result.hasReplies());
    }
    int failed = batch.ordered() ? 1 : sent.size();
    for (int position = 0; position < failed; position++) {
      failPart(sent.indexAt(position), error);
    }
  }

  /** Executes a statement that gives its document to another shard, or leaves it for later. */
  private void move(int index, String shard) {
    SingleWrite write = batch.single(index, operation);
    ShardReply reply =
        moves.run(
            shards.placement(operation, batch.namespace()),
            shard,
            write,
            write.withoutUpsert(),
            0,
            operation);
    if (reply != null) {
      take(alone(index, shard), reply);
    } else if (++startedOver == STARTED_OVER_MAX) {
      fail(index, MovedDocuments.tooManyConflicts());
    }
  }

  private static ShardBatch alone(int index, String shard) {
    var alone = new ShardBatch(shard, 0);
    alone.add(index, RawDocument.EMPTY);
    return alone;
  }

  private void done(int index, String shard) {
    progress = true;
    StatementParts several = parts.get(index);
    if (several == null) {
      remaining.clear(index);
    } else {
      several.executed(shard, routing);
    }
  }

  private void failPart(int index, CommandException error) {
    StatementParts several = parts.get(index);
    if (several == null) {
      fail(index, error);
    } else {
      several.failed(error);
    }
  }

  /** Ends a statement that several shards were asked for. After an error none is asked again. */
  private void settle(int index) {
    StatementParts several = parts.get(index);
    if (!several.errors().isEmpty()) {
      fail(index, WriteFailures.combined(several.errors()));
    } else if (several.isDone()) {
      end(index);
    }
  }

  private void end(int index) {
    progress = true;
    remaining.clear(index);
    parts.remove(index);
  }

  private void fail(int index, CommandException error) {
    result.fail(index, error);
    end(index);
    stopped |= batch.ordered();
  }

  private void failRemaining(CommandException error) {
    for (int i = remaining.nextSetBit(0); i >= 0 && !stopped; i = remaining.nextSetBit(i + 1)) {
      fail(i, error);
    }
  }
}
