package dev.wisent.cluster.router.stream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.changestream.ResumeToken;
import dev.wisent.sharding.ShardInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a stream is merged of: the stream of each shard, and that of the list of shards, which has
 * no events for clients. A shard that is added joins with the time of that; one that is removed
 * leaves when everything from before was taken.
 */
final class StreamInputs {
  /** After this time a shard that has not passed what it was asked for is asked again. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StreamOpening opening;
  private final PassedTimes times;
  private final StreamInput config;
  private final List<StreamInput> shards;

  /**
   * @param config the stream of the list of shards
   * @param shards those of the shards that belong to the cluster
   */
  StreamInputs(
      StreamOpening opening, PassedTimes times, StreamInput config, List<StreamInput> shards) {
    this.opening = opening;
    this.times = times;
    this.config = config;
    this.shards = new ArrayList<>(shards);
  }

  /** Takes what has come. */
  void receive(OperationContext operation) {
    config.receive(operation);
    while (config.next() != null) {
      follow(config.next(), operation);
      config.take();
    }
    for (StreamInput input : List.copyOf(shards)) {
      receive(input, operation);
      if (input.isDone()) {
        shards.remove(input);
        input.close();
      }
    }
  }

  private static void receive(StreamInput input, OperationContext operation) {
    try {
      input.receive(operation);
    } catch (CommandException e) {
      lost(input, e);
    }
  }

  /** The members of a shard that leaves the cluster may be gone before it is known here. */
  private static void lost(StreamInput input, CommandException error) {
    if (!input.isRemoved() && error.code() != ErrorCode.SHARD_NOT_FOUND) {
      throw error;
    }
    input.lost();
  }

  /** An event of the list of shards. */
  private void follow(RawDocument event, OperationContext operation) {
    String name = event.get("documentKey").asDocument().get("_id").asString();
    StreamInput known = find(name);
    switch (event.get("operationType").asString()) {
      case "insert" -> {
        if (known == null) {
          ShardInfo added = ShardInfo.of(event.get("fullDocument").asDocument());
          shards.add(opening.join(operation, added));
        }
      }
      case "delete" -> {
        if (known != null) {
          known.removed(event.get("clusterTime").asInt64());
        }
      }
      default -> {}
    }
  }

  private StreamInput find(String shard) {
    return shards.stream().filter(input -> input.shard().equals(shard)).findFirst().orElse(null);
  }

  /** The one that has the earliest event; null if none has come. */
  StreamInput first() {
    StreamInput first = null;
    for (StreamInput input : shards) {
      if (input.next() != null
          && (first == null || input.nextToken().compareTo(first.nextToken()) < 0)) {
        first = input;
      }
    }
    return first;
  }

  /** Whether no input can have an event before a place. */
  boolean havePassed(ResumeToken place) {
    return config.hasPassed(place) && shards.stream().allMatch(input -> input.hasPassed(place));
  }

  /** A place up to which the events of all inputs were taken. */
  ResumeToken passed() {
    ResumeToken passed = config.passed();
    for (StreamInput input : shards) {
      ResumeToken other = input.passed();
      passed = other.compareTo(passed) < 0 ? other : passed;
    }
    return passed;
  }

  /** Whether one of the streams has ended, and all others have passed its end. */
  boolean isEnded() {
    return shards.stream().anyMatch(input -> input.isEnded() && havePassed(input.passed()));
  }

  /** Takes the events that are nothing but a place; whether there were any. */
  boolean takeAnnounced(ResumeToken place) {
    boolean announced = false;
    for (StreamInput input : shards) {
      if (input.next() != null && input.nextToken().equals(place)) {
        input.take();
        announced = true;
      }
    }
    return announced;
  }

  /** Has each input that is used up ask for more. */
  void fetch(OperationContext operation, long awaitMillis, Runnable whenCome) {
    config.fetch(operation, awaitMillis, whenCome);
    for (StreamInput input : shards) {
      try {
        input.fetch(operation, awaitMillis, whenCome);
      } catch (CommandException e) {
        lost(input, e);
      }
    }
  }

  /** Asks those that hold the earliest event back to pass all events that have come. */
  void askBehind(long nowNanos) {
    StreamInput first = first();
    if (first == null) {
      return;
    }
    long newest = 0;
    for (StreamInput input : shards) {
      long time = input.next() == null ? 0 : input.newestTime();
      newest = Long.compareUnsigned(time, newest) > 0 ? time : newest;
    }
    ask(config, first.nextToken(), newest + 1, nowNanos);
    for (StreamInput input : shards) {
      ask(input, first.nextToken(), newest + 1, nowNanos);
    }
  }

  private void ask(StreamInput input, ResumeToken held, long time, long nowNanos) {
    if (!input.isLost() && !input.hasPassed(held) && input.ask(time, nowNanos, ASK_AGAIN_NANOS)) {
      times.ask(input.shard(), input.host(), time);
    }
  }

  void close() {
    config.close();
    shards.forEach(StreamInput::close);
  }
}
