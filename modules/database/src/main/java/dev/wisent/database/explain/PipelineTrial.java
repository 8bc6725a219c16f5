package dev.wisent.database.explain;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.exec.LookupReadCounts;
import dev.wisent.database.exec.RunningPlan;
import dev.wisent.database.read.Counter;
import dev.wisent.database.read.PipelineRun;
import dev.wisent.database.read.PreparedPipeline;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.MeteredStream;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.join.LookupStage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Through the stages of a pipeline that are not part of the plan. */
abstract class PipelineTrial extends TrialRun {
  private final List<Stage> stages;
  private final Supplier<PipelineRun> runs;
  private final OperationContext operation;
  private final List<MeasuredStream> measured = new ArrayList<>();

  private PipelineTrial(
      PreparedPipeline pipeline, Supplier<PipelineRun> runs, OperationContext operation) {
    this.stages = pipeline.stages();
    this.runs = runs;
    this.operation = operation;
  }

  static PipelineTrial through(
      PreparedPipeline pipeline, Supplier<PipelineRun> runs, OperationContext operation) {
    return new PipelineTrial(pipeline, runs, operation) {
      @Override
      DocumentStream first(Stage stage, RunningPlan plan, StageRun run) {
        return MeteredStream.open(
            stage,
            () -> {
              if (!plan.next()) {
                return null;
              }
              returned++;
              return plan.document();
            },
            run);
      }
    };
  }

  /** Where the first stage only wants to know how many documents there are. */
  static PipelineTrial counting(
      PreparedPipeline pipeline,
      CountRequest count,
      Supplier<PipelineRun> runs,
      OperationContext operation) {
    return new PipelineTrial(pipeline, runs, operation) {
      @Override
      DocumentStream first(Stage stage, RunningPlan plan, StageRun run) {
        return new DocumentStream() {
          private boolean done;

          @Override
          public RawDocument next() {
            if (done) {
              return null;
            }
            done = true;
            long enough = Counter.enough(count);
            while (returned < enough && plan.next()) {
              returned++;
            }
            long counted = Counter.within(returned, count.skip(), count.limit());
            return counted == 0 ? null : stage.ofCount(counted);
          }
        };
      }
    };
  }

  /** The first stage over the rows of the plan. */
  abstract DocumentStream first(Stage stage, RunningPlan plan, StageRun run);

  @Override
  void run(RunningPlan plan) {
    try (PipelineRun run = runs.get()) {
      DocumentStream last = null;
      for (Stage stage : stages) {
        LookupReadCounts reads = stage instanceof LookupStage ? new LookupReadCounts() : null;
        run.count(reads);
        DocumentStream stream =
            last == null ? first(stage, plan, run) : MeteredStream.open(stage, last, run);
        var counted = new MeasuredStream(stream, operation.clock(), reads);
        measured.add(counted);
        last = counted;
      }
      if (last == null) {
        while (plan.next()) {
          returned++;
        }
        return;
      }
      while (last.next() != null) {
        // The streams count.
      }
    }
  }

  @Override
  List<PlanReport.StageRun> stages() {
    return measured.isEmpty()
        ? Collections.nCopies(stages.size(), new PlanReport.StageRun(0, 0, RawDocument.EMPTY))
        : measured.stream().map(MeasuredStream::toRun).toList();
  }
}
