package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.replication.ElectionReport;
import dev.wisent.replication.ElectionReport.Calls;
import dev.wisent.replication.ElectionReport.Counts;
import dev.wisent.replication.ElectionReport.Voted;
import dev.wisent.replication.ElectionReport.Won;
import dev.wisent.replication.OpTimes;

/** Elections as {@code replSetGetStatus} and {@code serverStatus} tell them. */
public final class ElectionMetrics {
  private static final Calls NEVER = new Calls(0, 0);

  private ElectionMetrics() {}

  /**
   * {@code electionCandidateMetrics} of a primary, {@code electionParticipantMetrics} of others.
   */
  public static void appendLast(BsonBuilder out, ElectionReport elections) {
    if (elections.won() != null) {
      out.startDocument("electionCandidateMetrics");
      append(out, elections.won());
      out.end();
    }
    if (elections.voted() != null) {
      out.startDocument("electionParticipantMetrics");
      append(out, elections.voted());
      out.end();
    }
  }

  private static void append(BsonBuilder out, Won won) {
    out.appendString("lastElectionReason", won.reason().text());
    out.appendDate("lastElectionDate", won.dateMillis());
    out.appendInt64("electionTerm", won.term());
    OpTimes.append(out, "lastCommittedOpTimeAtElection", won.seen());
    OpTimes.append(out, "lastSeenWrittenOpTimeAtElection", won.seen());
    OpTimes.append(out, "lastSeenOpTimeAtElection", won.seen());
    out.appendInt32("numVotesNeeded", won.votesNeeded());
    out.appendDouble("priorityAtElection", won.priority());
    out.appendInt64("electionTimeoutMillis", won.electionTimeoutMillis());
    if (won.priorPrimaryId() >= 0) {
      out.appendInt32("priorPrimaryMemberId", won.priorPrimaryId());
    }
    out.appendInt64("numCatchUpOps", 0); // who is elected has everything
    out.appendDate("newTermStartDate", won.dateMillis());
    if (won.majorityMillis() != 0) {
      out.appendDate("wMajorityWriteAvailabilityDate", won.majorityMillis());
    }
  }

  private static void append(BsonBuilder out, Voted voted) {
    out.appendBoolean("votedForCandidate", voted.granted());
    out.appendInt64("electionTerm", voted.term());
    out.appendDate("lastVoteDate", voted.dateMillis());
    out.appendInt32("electionCandidateMemberId", voted.candidateId());
    out.appendString("voteReason", "");
    OpTimes.append(out, "lastWrittenOpTimeAtElection", voted.applied());
    OpTimes.append(out, "maxWrittenOpTimeInSet", voted.maxApplied());
    OpTimes.append(out, "lastAppliedOpTimeAtElection", voted.applied());
    OpTimes.append(out, "maxAppliedOpTimeInSet", voted.maxApplied());
    out.appendDouble("priorityAtElection", voted.priority());
    if (voted.newTermAppliedMillis() != 0) {
      out.appendDate("newTermStartDate", voted.newTermStartMillis());
      out.appendDate("newTermAppliedDate", voted.newTermAppliedMillis());
    }
  }

  /** The contents of {@code electionMetrics}. */
  public static void appendCounts(BsonBuilder out, Counts counts) {
    append(out, "stepUpCmd", counts.stepUp());
    append(out, "priorityTakeover", counts.priorityTakeover());
    append(out, "catchUpTakeover", NEVER);
    append(out, "electionTimeout", counts.electionTimeout());
    append(out, "freezeTimeout", NEVER);
    out.appendInt64("numStepDownsCausedByHigherTerm", counts.stepDownsByHigherTerm());
    out.appendInt64("numCatchUps", 0);
    out.appendInt64("numCatchUpsSucceeded", 0);
    out.appendInt64("numCatchUpsAlreadyCaughtUp", counts.won());
    out.appendInt64("numCatchUpsSkipped", 0);
    out.appendInt64("numCatchUpsTimedOut", 0);
    out.appendInt64("numCatchUpsFailedWithError", 0);
    out.appendInt64("numCatchUpsFailedWithNewTerm", 0);
    out.appendInt64("numCatchUpsFailedWithReplSetAbortPrimaryCatchUpCmd", 0);
    out.appendDouble("averageCatchUpOps", 0);
  }

  private static void append(BsonBuilder out, String name, Calls calls) {
    out.startDocument(name);
    out.appendInt64("called", calls.called());
    out.appendInt64("successful", calls.successful());
    out.end();
  }
}
