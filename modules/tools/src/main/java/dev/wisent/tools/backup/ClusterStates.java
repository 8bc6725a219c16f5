package dev.wisent.tools.backup;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;

/**
 * Has all shards and the config servers of a cluster fix their states of one cluster time. It is
 * chosen some seconds ahead, so that every member knows of it before it comes; where one does not,
 * all begin again with a later one. For one thread, which starts others.
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
    List<String> shards = new ArrayList<>(List.of(CONFIG));
    for (BsonDocument shard :
        router.database(CONFIG).getCollection("shards", BsonDocument.class).find()) {
      String name = shard.getString("_id").getValue();
      if (!shards.contains(name)) {
        shards.add(name);
      }
    }
    Interruption interruption = surroundings.interruption();
    for (int seconds : SECONDS_AHEAD) {
      interruption.check();
      BsonTimestamp time = new BsonTimestamp(now() + seconds, 0);
      List<OpenState> states = open(shards, time);
      if (states != null) {
        messages.say(
            "reading the state of cluster time %d of %s".formatted(time.getTime(), shards));
        return states;
      }
      messages.say(1, "the cluster time has passed before all members knew of it: again");
    }
    throw ToolException.failed("the members do not get to one cluster time: they are too slow");
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

  /** Null if the time has passed before all members knew of it. */
  private List<OpenState> open(List<String> shards, BsonTimestamp time) throws ToolException {
    OpenState[] states = new OpenState[shards.size()];
    List<Workers.Task> tasks = new ArrayList<>();
    for (int i = 0; i < states.length; i++) {
      int number = i;
      tasks.add(
          () -> {
            SourceMember member = SourceMember.ofShard(router, shards.get(number), preference);
            try {
              states[number] = OpenState.of(member, shards.get(number), member.beginAt(time));
            } catch (MongoCommandException e) {
              if (e.getErrorCode() != PASSED) {
                throw e;
              }
              // Stays null: all begin again.
            }
          });
    }
    boolean complete = false;
    try {
      Workers.run(surroundings.scheduler(), "begin", tasks.size(), tasks);
      complete = Arrays.stream(states).noneMatch(Objects::isNull);
    } finally {
      if (!complete) {
        Arrays.stream(states).filter(Objects::nonNull).forEach(OpenState::close);
      }
    }
    return complete ? List.of(states) : null;
  }
}
