package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import dev.wisent.query.text.TextMatcher;
import dev.wisent.storage.ReadView;

/** Reads the documents that a search has found, each with its score. */
final class ScoredDocuments {
  private final StageStats stats;
  private final TextMatcher matcher;
  private final RecordWalk records;
  private final MetadataWriter out = new MetadataWriter();

  /** Whether records were found in an older state than the one that is read. */
  private boolean stale;

  ScoredDocuments(StageStats stats, PlanNode.TextOr node, StepContext context) {
    this.stats = stats;
    this.matcher = new TextMatcher(node.index().text(), node.search());
    this.records = new RecordWalk(context.collection(), context.view());
  }

  /** A document, valid until the next is read; null if it is gone, or no longer what was found. */
  RawDocument read(long recordId, double score) {
    RawDocument found = records.read(recordId);
    if (found == null) {
      return null;
    }
    stats.documentsExamined++;
    return stale && !matcher.matches(found)
        ? null
        : out.start().put(MetaType.TEXT_SCORE, score).on(found);
  }

  /**
   * Goes on in another state.
   *
   * @param found whether there are records that were found before
   */
  void resume(ReadView newer, boolean found) {
    records.resume(newer);
    stale = found;
  }

  /** Lets go of the view. */
  void close() {
    records.close();
  }
}
