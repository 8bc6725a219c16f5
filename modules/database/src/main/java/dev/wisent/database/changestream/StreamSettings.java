package dev.wisent.database.changestream;

import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.changestream.ChangeStreamSplitLargeEventStage;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.changestream.ResultTokens;
import dev.wisent.pipeline.changestream.ResumeToken;
import java.util.List;

/**
 * What a stream does with changes, which stays the same while it is open.
 *
 * @param splits whether large events are split
 */
record StreamSettings(
    ChangeStreamStage stage,
    StreamScope scope,
    EventReader reader,
    EventFilter filter,
    EventImages images,
    EventDocument documents,
    boolean splits) {
  /**
   * @param stages those behind {@code $changeStream}
   */
  static StreamSettings of(
      ChangeStreamStage stage, StreamScope scope, List<Stage> stages, EventImages images) {
    return new StreamSettings(
        stage,
        scope,
        new EventReader(scope, stage),
        EventFilter.of(stages),
        images,
        new EventDocument(stage),
        stages.stream().anyMatch(ChangeStreamSplitLargeEventStage.class::isInstance));
  }

  /**
   * Fails if a stream that does not split events goes on after a part of one. Of a merged one that
   * is the router's affair.
   *
   * @return null where the parts are not made here
   */
  ResumeToken requireSplit(ResumeToken fragment) {
    if (stage.merged() && !splits) {
      return null;
    }
    if (!splits) {
      throw ResultTokens.notSplit();
    }
    return fragment;
  }
}
