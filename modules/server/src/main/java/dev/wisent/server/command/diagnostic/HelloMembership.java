package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.ElectionId;
import dev.wisent.replication.MemberState;
import dev.wisent.replication.OpTime;
import dev.wisent.replication.OpTimes;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.config.MemberConfig;
import dev.wisent.replication.config.ReplicaSetConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a member of a replica set says in hello, and again in serverStatus. */
public final class HelloMembership {
  private final ReplicaSet set;

  public HelloMembership(ReplicaSet set) {
    this.set = set;
  }

  /**
   * Writes the fields.
   *
   * @param primaryField {@code isWritablePrimary}, or the word of older commands
   */
  public void append(BsonBuilder out, String primaryField) {
    Optional<ReplicaSetConfig> config = set.config();
    MemberState state = set.state();
    String me = set.me();
    if (config.isEmpty() || me == null) {
      out.appendBoolean(primaryField, false);
      out.appendBoolean("secondary", false);
      out.appendString("info", "Does not have a valid replica set config");
      out.appendBoolean("isreplicaset", true);
      return;
    }
    List<MemberConfig> shown =
        config.get().members().stream().filter(member -> !member.hidden()).toList();
    appendHosts(out, "hosts", shown, MemberConfig::isElectable, true);
    appendHosts(
        out, "passives", shown, member -> !member.isElectable() && !member.arbiter(), false);
    appendHosts(out, "arbiters", shown, MemberConfig::arbiter, false);
    out.appendString("setName", config.get().name());
    out.appendInt32("setVersion", config.get().version());
    out.appendBoolean(primaryField, state == MemberState.PRIMARY);
    out.appendBoolean("secondary", state == MemberState.SECONDARY);
    String primary = set.primary();
    if (primary != null) {
      out.appendString("primary", primary);
    }
    config.get().memberAt(me).ifPresent(self -> appendSelf(out, self));
    out.appendString("me", me);
    if (state == MemberState.PRIMARY) {
      out.appendObjectId("electionId", ElectionId.of(set.term()));
    }
    appendLastWrite(out);
  }

  private static void appendHosts(
      BsonBuilder out,
      String field,
      List<MemberConfig> members,
      Predicate<MemberConfig> wanted,
      boolean always) {
    List<String> hosts = members.stream().filter(wanted).map(MemberConfig::host).toList();
    if (hosts.isEmpty() && !always) {
      return;
    }
    out.startArray(field);
    for (int i = 0; i < hosts.size(); i++) {
      out.appendString(Integer.toString(i), hosts.get(i));
    }
    out.end();
  }

  private static void appendSelf(BsonBuilder out, MemberConfig self) {
    if (self.arbiter()) {
      out.appendBoolean("arbiterOnly", true);
    } else if (!self.isElectable()) {
      out.appendBoolean("passive", true);
    }
    if (self.hidden()) {
      out.appendBoolean("hidden", true);
    }
    if (self.delaySeconds() > 0) {
      out.appendInt64("secondaryDelaySecs", self.delaySeconds());
    }
    if (!self.tags().isEmpty()) {
      out.startDocument("tags");
      self.tags().forEach(out::appendString);
      out.end();
    }
  }

  /** What is applied is on a majority: the two pairs are the same. */
  private void appendLastWrite(BsonBuilder out) {
    OpTime last = set.lastApplied();
    long wallMillis = set.lastAppliedWallMillis();
    out.startDocument("lastWrite");
    OpTimes.append(out, "opTime", last);
    out.appendDate("lastWriteDate", wallMillis / 1000 * 1000);
    OpTimes.append(out, "majorityOpTime", last);
    out.appendDate("majorityWriteDate", wallMillis / 1000 * 1000);
    out.end();
  }
}
