package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.StageStats;
import dev.wisent.operation.OperationContext;
import dev.wisent.storage.ReadView;
import java.util.function.Consumer;

/**
 * The documents of a search for one term, each with its score. The index has them in the order of
 * their scores, so that the best come without a look at the others. One who comes back for more
 * later gets what there was at the beginning, as of several terms.
 */
final class TextTermStep extends Step {
  private final Step input;
  private final int scorePart;
  private final ScoredDocuments documents;
  private boolean started;

  /** What was still to come when the step was suspended; null before. */
  private Postings rest;

  private int place;
  private long recordId;
  private RawDocument document;

  TextTermStep(StageStats stats, Step input, PlanNode.TextOr node, StepContext context) {
    super(stats);
    this.input = input;
    this.scorePart = node.index().text().before().size() + 1;
    this.documents = new ScoredDocuments(stats, node, context);
  }

  @Override
  Outcome step() {
    if (rest == null) {
      started = true;
      Outcome outcome = input.work();
      return outcome == Outcome.ADVANCED ? read(input.recordId(), score()) : outcome;
    }
    if (place == rest.size()) {
      return Outcome.END;
    }
    int next = place++;
    return read(rest.recordId(next), rest.score(next));
  }

  private double score() {
    return input.keyNumber(scorePart);
  }

  private Outcome read(long id, double score) {
    recordId = id;
    document = documents.read(id, score);
    return document == null ? Outcome.NEED_TIME : Outcome.ADVANCED;
  }

  @Override
  public long recordId() {
    return recordId;
  }

  @Override
  public RawDocument document() {
    return document;
  }

  @Override
  void forEachIndex(Consumer<Index> action) {
    if (rest == null) {
      input.forEachIndex(action);
    }
  }

  @Override
  void suspendStep() {
    if (rest == null && started) {
      rest = new Postings();
      while (input.next()) {
        rest.add(input.recordId(), score());
      }
      input.close();
    }
    if (rest == null) {
      input.suspend();
    }
    documents.close();
  }

  @Override
  void resume(ReadView view, OperationContext under) {
    if (rest == null) {
      input.resume(view, under);
    }
    documents.resume(view, rest != null);
  }

  @Override
  public void close() {
    input.close();
    documents.close();
  }
}
