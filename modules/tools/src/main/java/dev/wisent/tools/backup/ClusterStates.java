package dev.wisent.tools.backup;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import dev.wisent.tools.backup.StateOpening.Opening;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;

/**
 * Has all shards and the config servers of a cluster fix their states of one cluster time. It is
 * chosen some seconds ahead, so that every member knows of it before it comes; where one does not,
 * all begin again with a later one. So they do if a shard is added or removed meanwhile. For one
 * thread, which starts others.
 */
final class ClusterStates {
  private static final String CONFIG = "config";
  private static final long MILLIS = 1_000;
  private static final int PASSED = 239; // SnapshotTooOld
  private static final int[] SECONDS_AHEAD = {3, 6, 15, 40};

  private final Deployment router;
  private final ReadPreference preference;
  private final Surroundings surroundings;
  private final Messages messages;

  ClusterStates(
      Deployment router, ReadPreference preference, Surroundings surroundings, Messages messages) {
    this.router = router;
    this.preference = preference;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  /** The states, that of the config servers first. */
  List<OpenState> open() throws ToolException {
    String why = "";
    for (int seconds : SECONDS_AHEAD) {
      List<String> shards = shards();
      BsonTimestamp time = new BsonTimestamp(now() + seconds, 0);
      List<OpenState> states = StateOpening.run(surroundings, openings(shards, time, seconds));
      if (states == null) {
        why = "the members do not get to one cluster time: they are too slow";
        messages.say(1, "the cluster time has passed before all members knew of it: again");
      } else if (areAll(states, shards)) {
        messages.say(
            "reading the state of cluster time %d of %s".formatted(time.getTime(), shards));
        return states;
      } else {
        why = "the set of shards changes each time; try again when no shard is added or removed";
        messages.say(1, "a shard was added or removed meanwhile: again");
      }
    }
    throw ToolException.failed(why);
  }

  /** The config servers and the shards. */
  private List<String> shards() {
    List<String> shards = new ArrayList<>(List.of(CONFIG));
    for (BsonDocument shard :
        router
            .database(CONFIG)
            .getCollection("shards", BsonDocument.class)
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(ReadConcern.MAJORITY)
            .find()) {
      String name = shard.getString("_id").getValue();
      if (!shards.contains(name)) {
        shards.add(name);
      }
    }
    return shards;
  }

  /** Whether the shards are still those. A shard that was added before the time has data then. */
  private boolean areAll(List<OpenState> states, List<String> shards) {
    boolean same = false;
    try {
      messages.say(1, "all members have fixed their states");
      same = Set.copyOf(shards()).equals(Set.copyOf(shards));
    } finally {
      if (!same) {
        states.forEach(OpenState::close);
      }
    }
    return same;
  }

  /**
   * The second that it is: the clocks of an idle cluster may be behind its cluster time, or ahead.
   */
  private int now() {
    BsonDocument hello = router.admin(new BsonDocument("hello", new BsonInt32(1)));
    long wall = hello.getDateTime("localTime").getValue() / MILLIS;
    long cluster =
        hello.containsKey("$clusterTime")
            ? hello.getDocument("$clusterTime").getTimestamp("clusterTime").getTime()
            : 0;
    return (int) Math.max(wall, cluster);
  }

  /** Each has no state if the time has passed before its member knew of it. */
  private List<Opening> openings(List<String> shards, BsonTimestamp time, int secondsAhead) {
    List<Opening> openings = new ArrayList<>();
    for (String shard : shards) {
      SourceMember member = SourceMember.ofShard(router, shard, preference);
      openings.add(
          () -> {
            try {
              return OpenState.of(member, shard, member.beginAt(time, secondsAhead));
            } catch (MongoCommandException e) {
              if (e.getErrorCode() == PASSED) {
                return null;
              }
              throw e;
            }
          });
    }
    return openings;
  }
}
