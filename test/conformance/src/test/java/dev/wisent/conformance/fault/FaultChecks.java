package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;

/** What has to be true of a set that is whole again. */
final class FaultChecks {

  private final ReplicaSetProcesses set;
  private final FaultLoad load;

  FaultChecks(ReplicaSetProcesses set, FaultLoad load) {
    this.set = set;
    this.load = load;
  }

  void run() {
    awaitSameData();
    List<String> wrong = new ArrayList<>();
    for (Member member : set.members()) {
      String name = "member " + member.id();
      MongoDatabase database = member.direct().getDatabase(FaultClient.DATABASE);
      wrong.addAll(load.inserts().check(name, ids(database)));
      wrong.addAll(checkCounters(name, database));
      long register = database.getCollection("register").find().first().getLong("value");
      load.register().check(register).forEach(each -> wrong.add(name + ": " + each));
    }
    assertThat(wrong).isEmpty();
  }

  /** Members agree byte for byte once the last of them has caught up. */
  private void awaitSameData() {
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Map<Integer, String> hashes = new HashMap<>();
          for (Member member : set.members()) {
            hashes.put(member.id(), hash(member));
          }
          assertThat(hashes.values()).as("dbHash by member: %s", hashes).containsOnly(hash(0));
        });
  }

  private String hash(int member) {
    return hash(set.member(member));
  }

  private static String hash(Member member) {
    try {
      Document reply =
          member.direct().getDatabase(FaultClient.DATABASE).runCommand(new Document("dbHash", 1));
      return reply.get("collections", Document.class).toJson() + " " + reply.getString("md5");
    } catch (MongoException e) {
      // One that is still catching up may have to get all data anew, and serves none meanwhile.
      throw new AssertionError("member " + member.id() + ": " + e.getMessage(), e);
    }
  }

  private static List<String> ids(MongoDatabase database) {
    return database
        .getCollection("inserts")
        .find()
        .map(document -> document.getString("_id"))
        .into(new ArrayList<>());
  }

  private List<String> checkCounters(String member, MongoDatabase database) {
    Map<String, Map<String, Long>> sums = new HashMap<>();
    Map<String, Long> totals = new HashMap<>();
    for (Document counter : database.getCollection("counters").find()) {
      String id = counter.getString("_id");
      Map<String, Long> byClient = new HashMap<>();
      counter
          .get("by", Document.class)
          .forEach((client, sum) -> byClient.put(client, ((Number) sum).longValue()));
      sums.put(id, byClient);
      totals.put(id, counter.getLong("total"));
    }
    return load.counters().check(member, sums, totals);
  }
}
