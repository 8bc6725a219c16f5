package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import org.bson.Document;

/** The position that a member has in memory, and the one that its oplog has. */
final class LastApplied {
  private LastApplied() {}

  /** They are the same when nothing is being written. */
  static void isLastOfOplog(Member member) {
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Document last =
              member
                  .direct()
                  .getDatabase("local")
                  .getCollection("oplog.rs")
                  .find()
                  .sort(new Document("$natural", -1))
                  .first();
          assertThat(
                  member
                      .admin("replSetGetStatus")
                      .get("optimes", Document.class)
                      .get("appliedOpTime", Document.class))
              .isEqualTo(new Document("ts", last.get("ts")).append("t", last.get("t")));
        });
  }
}
