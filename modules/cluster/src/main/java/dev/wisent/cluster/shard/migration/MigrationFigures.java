package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.BsonBuilder;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What migrations have done on this shard since its start, for {@code serverStatus}. */
public final class MigrationFigures {
  /** The names are MongoDB's, but for that of the pauses. */
  enum Figure {
    STARTED("countDonorMoveChunkStarted"),
    COMMITTED("countDonorMoveChunkCommitted"),
    ABORTED("countDonorMoveChunkAborted"),
    DONOR_MILLIS("totalDonorMoveChunkTimeMillis"),
    CLONE_MILLIS("totalDonorChunkCloneTimeMillis"),
    PAUSE_MILLIS("totalDonorPauseTimeMillis"),
    COMMIT_MILLIS("totalCriticalSectionCommitTimeMillis"),
    CRITICAL_MILLIS("totalCriticalSectionTimeMillis"),
    RECIPIENT_CRITICAL_MILLIS("totalRecipientCriticalSectionTimeMillis"),
    DOCUMENTS_RECEIVED("countDocsClonedOnRecipient"),
    BYTES_RECEIVED("countBytesClonedOnRecipient"),
    DOCUMENTS_CAUGHT_UP("countDocsClonedOnCatchUpOnRecipient"),
    BYTES_CAUGHT_UP("countBytesClonedOnCatchUpOnRecipient"),
    DOCUMENTS_SENT("countDocsClonedOnDonor"),
    BYTES_SENT("countBytesClonedOnDonor"),
    RECEPTIONS("countRecipientMoveChunkStarted"),
    LOCK_TIMEOUTS("countDonorMoveChunkLockTimeout"),
    INDEX_CONFLICTS("countDonorMoveChunkAbortConflictingIndexOperation"),
    UNFINISHED("unfinishedMigrationFromPreviousPrimary");

    private final String text;

    Figure(String text) {
      this.text = text;
    }
  }

  private final Map<Figure, LongAdder> figures = new EnumMap<>(Figure.class);

  public MigrationFigures() {
    for (Figure each : Figure.values()) {
      figures.put(each, new LongAdder());
    }
  }

  void add(Figure figure, long more) {
    figures.get(figure).add(more);
  }

  public void append(BsonBuilder out) {
    figures.forEach((figure, count) -> out.appendInt64(figure.text, count.sum()));
  }
}
