package dev.wisent.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.base.Scheduler;
import dev.wisent.tools.command.ToolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** States that are not read are kept open. */
class StateKeepingTest {
  /** Runs what is to be run again and again when the test says so. */
  private static final class HandScheduler implements Scheduler {
    private final List<Runnable> tasks = new ArrayList<>();

    @Override
    public Task after(Duration delay, String name, Runnable task) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public Task every(Duration period, String name, Runnable task) {
      assertThat(period).isLessThan(Duration.ofMinutes(5));
      tasks.add(task);
      return () -> tasks.remove(task);
    }
  }

  private static BsonDocument reads(MongoClient client) {
    return client
        .getDatabase("admin")
        .runCommand(new Document("serverStatus", 1), BsonDocument.class)
        .getDocument("metrics")
        .getDocument("commands")
        .getDocument("backupRead", new BsonDocument());
  }

  @Test
  void eachStateIsReadFromTimeToTime() throws ToolException {
    var scheduler = new HandScheduler();
    try (Wisent server = Wisent.start();
        MongoClient client = MongoClients.create(server.uri());
        OpenState first = Backups.state(server.uri());
        OpenState second = Backups.state(server.uri())) {
      var keeping = StateKeeping.start(scheduler, List.of(first, second));
      scheduler.tasks.getFirst().run();
      assertThat(reads(client).getInt64("total").getValue()).isEqualTo(2);
      assertThat(reads(client).getInt64("failed").getValue()).isZero();
      // One that is gone does not keep the others from being read.
      first.member().end(first.id());
      scheduler.tasks.getFirst().run();
      assertThat(reads(client).getInt64("total").getValue()).isEqualTo(4);
      assertThat(reads(client).getInt64("failed").getValue()).isEqualTo(1);
      keeping.close();
      assertThat(scheduler.tasks).isEmpty();
    }
  }
}
