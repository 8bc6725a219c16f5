package dev.wisent.conformance.replica;

import com.mongodb.MongoCommandException;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.Document;

/** Changes the configuration of a set as {@code rs.add}, {@code rs.remove} and others do. */
record Reconfiguration(ReplicaSetProcesses set) {

  /** NotWritablePrimary, PrimarySteppedDown, InterruptedDueToReplStateChange. */
  private static final Set<Integer> LEAD_CHANGED = Set.of(10107, 189, 11602);

  Document config() {
    return set.awaitPrimary().admin("replSetGetConfig").get("config", Document.class);
  }

  List<Document> members() {
    return config().getList("members", Document.class);
  }

  /**
   * {@code rs.reconfig}. Done again if the lead has changed meanwhile, as it may at any time, so an
   * edit must not mind what it has done already.
   */
  void change(Consumer<Document> edit) {
    Eventually.holds(
        "a primary stays to change the configuration",
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Document config = config();
          edit.accept(config);
          config.put("version", config.getInteger("version") + 1);
          return isTaken(config);
        });
  }

  private boolean isTaken(Document config) {
    try {
      set.awaitPrimary().admin(new Document("replSetReconfig", config));
      return true;
    } catch (MongoCommandException e) {
      if (LEAD_CHANGED.contains(e.getErrorCode())) {
        return false;
      }
      throw e;
    }
  }

  /** {@code rs.add}. */
  void add(Member member, Document fields) {
    Document entry = new Document("_id", member.id()).append("host", member.address());
    entry.putAll(fields);
    change(
        config ->
            withMembers(
                config,
                members -> {
                  members.removeIf(each -> isOf(member, each));
                  members.add(entry);
                }));
  }

  /** {@code rs.addArb}. */
  void addArbiter(Member member) {
    add(member, new Document("arbiterOnly", true));
  }

  /** {@code rs.remove}. */
  void remove(Member member) {
    change(config -> withMembers(config, all -> all.removeIf(each -> isOf(member, each))));
  }

  void edit(Member member, Consumer<Document> edit) {
    change(
        config ->
            config.getList("members", Document.class).stream()
                .filter(each -> isOf(member, each))
                .forEach(edit));
  }

  private static boolean isOf(Member member, Document entry) {
    return entry.getInteger("_id") == member.id();
  }

  private static void withMembers(Document config, Consumer<List<Document>> edit) {
    List<Document> members = new ArrayList<>(config.getList("members", Document.class));
    edit.accept(members);
    config.put("members", members);
  }

  /** How a member is called in the status that another one gives. */
  static String state(Member asked, Member about) {
    return asked.admin("replSetGetStatus").getList("members", Document.class).stream()
        .filter(row -> isOf(about, row))
        .map(row -> row.getString("stateStr"))
        .findFirst()
        .orElse("(not a member)");
  }

  void awaitState(Member about, String state) {
    Eventually.holds(
        "member " + about.id() + " is " + state,
        ReplicaSetProcesses.PATIENCE,
        () -> state(set.awaitPrimary(), about).equals(state));
  }
}
