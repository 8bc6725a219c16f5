package dev.wisent.database.exec;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.text.TextMatcher;

/** Of the documents that have one of the terms those that have all that a search wants. */
final class TextMatchStep extends UnaryStep {
  /** Null where the index has said all. */
  private final TextMatcher matcher;

  TextMatchStep(StageStats stats, Step input, PlanNode.TextMatch node) {
    super(stats, input);
    this.matcher =
        node.search().isAnsweredByIndex()
            ? null
            : new TextMatcher(node.index().text(), node.search());
  }

  @Override
  Outcome step() {
    Outcome outcome = input.work();
    if (outcome != Outcome.ADVANCED || matcher == null) {
      return outcome;
    }
    if (matcher.matchesFound(input.document())) {
      return Outcome.ADVANCED;
    }
    stats.documentsRejected++;
    return Outcome.NEED_TIME;
  }
}
