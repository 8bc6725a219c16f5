package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
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
    MemberAgreement.await(set, FaultClient.DATABASE);
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
