package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;

/** Members agree byte for byte once the last of them has caught up. */
public final class MemberAgreement {

  private MemberAgreement() {}

  /** Waits until all members have the same documents and indexes in a database. */
  public static void await(ReplicaSetProcesses set, String database) {
    await(set.members(), database);
  }

  /** The same of a set of a cluster. */
  static void await(List<Member> members, String database) {
    Eventually.passes(
        ReplicaSetProcesses.PATIENCE,
        () -> {
          Map<Integer, String> hashes = new HashMap<>();
          for (Member member : members) {
            hashes.put(member.id(), hash(member, database));
          }
          assertThat(hashes.values())
              .as("dbHash by member: %s", hashes)
              .containsOnly(hashes.get(0));
        });
  }

  private static String hash(Member member, String database) {
    try {
      Document reply = member.direct().getDatabase(database).runCommand(new Document("dbHash", 1));
      return reply.get("collections", Document.class).toJson() + " " + reply.getString("md5");
    } catch (MongoException e) {
      // One that is still catching up may have to get all data anew, and serves none meanwhile.
      throw new AssertionError("member " + member.id() + ": " + e.getMessage(), e);
    }
  }
}
