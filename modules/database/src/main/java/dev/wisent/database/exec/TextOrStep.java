package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.OperationContext;
import dev.wisent.database.collection.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import dev.wisent.query.text.TextMatcher;
import dev.wisent.storage.ReadView;
import java.util.List;
import java.util.function.Consumer;

/**
 * The documents of a search for several terms, each with the sum of the scores that the terms have
 * in it. All keys are read before the first document is given; the best comes first.
 */
final class TextOrStep extends Step {
  private final List<PostingScanStep> inputs;
  private final TextMatcher matcher;
  private final RecordWalk records;
  private final RecordScores scores = new RecordScores();
  private final MetadataWriter out = new MetadataWriter();
  private int current;
  private boolean resumed;
  private RawDocument document;

  TextOrStep(StageStats stats, List<Step> inputs, PlanNode.TextOr node, StepContext context) {
    super(stats);
    this.inputs = inputs.stream().map(PostingScanStep.class::cast).toList();
    this.matcher = new TextMatcher(node.index().text(), node.search());
    this.records = new RecordWalk(context.collection(), context.view());
  }

  /** Which part of the keys is the score. */
  static int scorePart(PlanNode.TextOr node) {
    return node.index().text().before().size() + 1;
  }

  @Override
  Outcome step() {
    if (current < inputs.size()) {
      collect(inputs.get(current++));
      return Outcome.NEED_TIME;
    }
    if (!scores.next()) {
      return Outcome.END;
    }
    RawDocument found = records.read(scores.recordId());
    if (found == null) {
      return Outcome.NEED_TIME;
    }
    stats.documentsExamined++;
    // The document may be another than the one that had these scores.
    if (resumed && !matcher.matches(found)) {
      return Outcome.NEED_TIME;
    }
    document = out.start().put(MetaType.TEXT_SCORE, scores.score()).on(found);
    return Outcome.ADVANCED;
  }

  private void collect(PostingScanStep input) {
    input.work();
    scores.addAll(input.take());
    input.close();
  }

  @Override
  public long recordId() {
    return scores.recordId();
  }

  @Override
  public RawDocument document() {
    return document;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    inputs.subList(current, inputs.size()).forEach(input -> input.forEachIndex(action));
  }

  @Override
  void suspendStep() {
    inputs.subList(current, inputs.size()).forEach(Step::suspend);
    records.close();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    inputs.subList(current, inputs.size()).forEach(input -> input.resume(view, under));
    records.resume(view);
    resumed = true;
  }

  @Override
  public void close() {
    inputs.forEach(Step::close);
    records.close();
  }
}
