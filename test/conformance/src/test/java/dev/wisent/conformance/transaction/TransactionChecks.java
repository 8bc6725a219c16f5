package dev.wisent.conformance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.fault.MemberAgreement;
import dev.wisent.conformance.transaction.BankHistory.Transfer;
import dev.wisent.conformance.transaction.StreamHistory.Change;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;

/** What has to be true of a set on which the clients of a load have ended. */
final class TransactionChecks {

  private final ReplicaSetProcesses set;
  private final TransactionLoad load;

  TransactionChecks(ReplicaSetProcesses set, TransactionLoad load) {
    this.set = set;
    this.load = load;
  }

  void run() {
    MemberAgreement.await(set, TransactionLoad.DATABASE);
    List<String> wrong = new ArrayList<>();
    for (Member member : set.members()) {
      MongoDatabase database = member.direct().getDatabase(TransactionLoad.DATABASE);
      checkDocuments("member " + member.id(), load, database, wrong);
    }
    checkStreams(wrong);
    assertThat(wrong).isEmpty();
  }

  /** The same of a cluster, through a router. */
  static void runOnCluster(TransactionLoad load, MongoDatabase database) {
    List<String> wrong = new ArrayList<>();
    checkDocuments("the cluster", load, database, wrong);
    StreamHistory first = load.streams().getFirst();
    wrong.addAll(first.checkMerged(load.streams().getLast(), documents(database)));
    assertThat(wrong).isEmpty();
  }

  private static void checkDocuments(
      String name, TransactionLoad load, MongoDatabase database, List<String> wrong) {
    wrong.addAll(load.bank().check(name, BankClient.balances(database), ledger(database)));
    List<Document> commits =
        database.getCollection(RepeatedCommitClient.COMMITS).find().into(new ArrayList<>());
    wrong.addAll(
        load.commits().check(name, commits.stream().map(d -> d.getString("_id")).toList()));
    checkTallies(name, commits, database, wrong);
    wrong.addAll(load.lists().check(ListClient.lists(database)));
  }

  private static List<Transfer> ledger(MongoDatabase database) {
    return database
        .getCollection(BankClient.LEDGER)
        .find()
        .map(
            row ->
                new Transfer(
                    row.getString("_id"),
                    row.getString("from"),
                    row.getString("to"),
                    row.getLong("amount")))
        .into(new ArrayList<>());
  }

  /** A transaction has inserted its document and counted it, or neither. */
  private static void checkTallies(
      String member, List<Document> commits, MongoDatabase database, List<String> wrong) {
    Map<String, Long> expected =
        commits.stream()
            .collect(Collectors.groupingBy(d -> d.getString("client"), Collectors.counting()));
    expected.put(RepeatedCommitClient.ALL, (long) commits.size());
    Map<String, Long> actual = new HashMap<>();
    for (Document tally : database.getCollection(RepeatedCommitClient.TALLIES).find()) {
      actual.put(tally.getString("_id"), tally.getLong("n"));
    }
    if (!expected.equals(actual)) {
      wrong.add("%s has the tallies %s, expected %s".formatted(member, actual, expected));
    }
  }

  private void checkStreams(List<String> wrong) {
    Member primary = set.awaitPrimary();
    List<Change> oplog =
        OplogChanges.read(primary.direct(), TransactionLoad.DATABASE, load.startTime());
    MongoDatabase database = primary.direct().getDatabase(TransactionLoad.DATABASE);
    Map<String, Map<BsonValue, BsonDocument>> documents = documents(database);
    for (StreamHistory stream : load.streams()) {
      wrong.addAll(stream.check(oplog, documents));
    }
  }

  /** What is there, by namespace and id. */
  private static Map<String, Map<BsonValue, BsonDocument>> documents(MongoDatabase database) {
    Map<String, Map<BsonValue, BsonDocument>> documents = new HashMap<>();
    for (String name : database.listCollectionNames()) {
      Map<BsonValue, BsonDocument> byId = new HashMap<>();
      database
          .getCollection(name, BsonDocument.class)
          .find()
          .forEach(document -> byId.put(document.get("_id"), document));
      documents.put(TransactionLoad.DATABASE + "." + name, byId);
    }
    return documents;
  }
}
