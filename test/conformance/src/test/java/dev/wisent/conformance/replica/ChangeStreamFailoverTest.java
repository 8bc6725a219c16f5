package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A stream of the driver goes on when another member leads: each event once, in order. */
@ExtendWith(SharedReplicaSet.Extension.class)
class ChangeStreamFailoverTest {
  private static final int EVENTS = 10;
  private static final int STEP_DOWN_SECONDS = 11;

  @Test
  void goesOnUnderAnotherPrimary(ReplicaSetProcesses set) {
    try (MongoClient client = MongoClients.create(set.uri())) {
      MongoCollection<Document> collection =
          client.getDatabase("streams_failover").getCollection("c");
      collection.drop();
      try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
          collection.watch().cursor()) {
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
          if (i == EVENTS / 2) {
            seen.add(id(stream.next()));
            stepDown(set);
          }
          collection.insertOne(new Document("_id", i));
        }
        while (seen.size() < EVENTS) {
          seen.add(id(stream.next()));
        }
        assertThat(seen).isEqualTo(IntStream.range(0, EVENTS).boxed().toList());
      }
    }
  }

  private static int id(ChangeStreamDocument<Document> event) {
    return event.getDocumentKey().getInt32("_id").getValue();
  }

  private static void stepDown(ReplicaSetProcesses set) {
    Eventually.holds(
        "a primary steps down",
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Member primary = set.awaitPrimary();
          try {
            primary.admin(
                new Document("replSetStepDown", STEP_DOWN_SECONDS)
                    .append("secondaryCatchUpPeriodSecs", STEP_DOWN_SECONDS - 1));
          } catch (MongoCommandException e) {
            return false; // No secondary has caught up, or another member leads by now.
          }
          primary.admin(new Document("replSetFreeze", 0));
          return true;
        });
  }
}
