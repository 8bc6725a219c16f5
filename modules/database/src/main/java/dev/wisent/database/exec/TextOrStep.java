package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.List;
import java.util.function.Consumer;

/**
 * The documents of a search for several terms, each with the sum of the scores that the terms have
 * in it. All keys are read before the first document is given; the best comes first.
 */
final class TextOrStep extends Step {
  private final List<PostingScanStep> inputs;
  private final ScoredDocuments documents;
  private final RecordScores scores = new RecordScores();
  private int current;
  private RawDocument document;

  TextOrStep(StageStats stats, List<Step> inputs, PlanNode.TextOr node, StepContext context) {
    super(stats);
    this.inputs = inputs.stream().map(PostingScanStep.class::cast).toList();
    this.documents = new ScoredDocuments(stats, node, context);
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
    document = documents.read(scores.recordId(), scores.score());
    return document == null ? Outcome.NEED_TIME : Outcome.ADVANCED;
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
    documents.close();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    inputs.subList(current, inputs.size()).forEach(input -> input.resume(view, under));
    documents.resume(view, current > 0);
  }

  @Override
  public void close() {
    inputs.forEach(Step::close);
    documents.close();
  }
}
