package dev.wisent.cluster.router;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.router.Places.Place;
import dev.wisent.cluster.router.write.OneShardWrites;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.sharding.CollectionRouting;

/** Sends writes as they came to the shard that all of their statements are for. */
final class WriteForwarding {
  private final Forwarder forwarder;

  WriteForwarding(Forwarder forwarder) {
    this.forwarder = forwarder;
  }

  /**
   * False where there is no such shard, or where it has replied with errors: the batch then is gone
   * on with, statement by statement, from that reply on.
   */
  boolean forward(RunningOperation operation, CollectionRouting collection, BsonBuilder to) {
    CommandRequest request = operation.request();
    String command = operation.spec().name();
    String only =
        operation.spec().kind() != CommandKind.WRITE || request.isInTransaction()
            ? null
            : OneShardWrites.shardOf(command, request, collection);
    if (only == null) {
      return false;
    }
    Place place = Places.ofShard(collection, only);
    ShardReply answer = forwarder.send(operation, place.shard(), place.versions());
    if (command.equals("findAndModify") || isWithoutErrors(answer)) {
      forwarder.append(operation, answer, to);
      return true;
    }
    RoutedOperation routed = RoutedOperation.of(operation.context());
    if (answer.isOk()) {
      routed.takeWriteConcernError(only, answer.body());
    }
    routed.forwarded(answer);
    return false;
  }

  private static boolean isWithoutErrors(ShardReply answer) {
    return answer.isOk()
        && answer.body().get("writeErrors") == null
        && answer.body().get("writeConcernError") == null;
  }
}
