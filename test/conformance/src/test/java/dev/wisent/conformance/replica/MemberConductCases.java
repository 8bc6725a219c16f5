package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/**
 * What is asked of single members: to lead, not to lead, and not to serve reads. Run by {@link
 * MemberKindsTest}.
 */
abstract class MemberConductCases {
  private final ChangingSet set;

  MemberConductCases(ChangingSet set) {
    this.set = set;
  }

  @Test
  void aMemberWithAHigherPriorityTakesTheLeadWhenItHasCaughtUp() {
    Member preferred = set.secondary();
    set.configuration().edit(preferred, entry -> entry.append("priority", 5));
    Eventually.holds(
        "the preferred member leads",
        ReplicaSetProcesses.PATIENCE,
        () -> set.processes().awaitPrimary() == preferred);

    preferred.kill();
    Member other = set.processes().awaitPrimary();
    assertThat(other).isNotSameAs(preferred);
    set.collection().withWriteConcern(WriteConcern.MAJORITY).insertOne(set.next());
    preferred.start();
    Eventually.holds(
        "the preferred member leads again",
        ReplicaSetProcesses.PATIENCE,
        () -> set.processes().awaitPrimary() == preferred);
    assertThat(ChangingSet.count(preferred)).isEqualTo(set.collection().countDocuments());
  }

  @Test
  void aFrozenMemberIsNotElected() {
    Member frozen = set.secondary();
    Member primary = set.processes().awaitPrimary();
    assertThat(ChangingSet.codeOf(primary, new Document("replSetFreeze", 10))).isEqualTo(95);
    frozen.admin(new Document("replSetFreeze", 120));
    assertThat(ChangingSet.codeOf(frozen, new Document("replSetStepUp", 1))).isEqualTo(125);

    primary.admin(new Document("replSetStepDown", 60).append("force", true));
    Member third = set.processes().awaitPrimary();
    assertThat(third).isNotIn(frozen, primary, set.extra());
    assertThat(frozen.admin(new Document("replSetFreeze", 0))).containsEntry("info", "unfreezing");
    primary.admin(new Document("replSetFreeze", 0));
    // The third leads with the vote of either; who wants the lead has to know whom to ask.
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> assertThat(frozen.hello()).containsEntry("primary", third.address()));
    frozen.admin(new Document("replSetStepUp", 1));
    assertThat(set.processes().awaitPrimary()).isSameAs(frozen);
  }

  @Test
  void aMemberInMaintenanceServesNoReads() {
    Member member = set.secondary();
    assertThat(
            ChangingSet.codeOf(
                set.processes().awaitPrimary(), new Document("replSetMaintenance", true)))
        .isEqualTo(95);
    member.admin(new Document("replSetMaintenance", true));
    assertThat(member.admin("replSetGetStatus")).containsEntry("myState", 3);
    assertThat(member.hello()).containsEntry("secondary", false);
    assertThatThrownBy(() -> ChangingSet.count(member))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(13436));
    set.configuration().awaitState(member, "RECOVERING");

    member.admin(new Document("replSetMaintenance", false));
    assertThat(ChangingSet.codeOf(member, new Document("replSetMaintenance", false))).isEqualTo(96);
    assertThat(ChangingSet.count(member)).isPositive();
    set.configuration().awaitState(member, "SECONDARY");
  }
}
