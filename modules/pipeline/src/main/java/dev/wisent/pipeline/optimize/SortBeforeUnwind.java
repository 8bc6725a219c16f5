package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.LimitStage;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.UnwindStage;
import java.util.List;

/**
 * Documents are sorted before there are more of them, if it is not by what makes them more. If the
 * unwinding leaves none out, as many as are wanted are enough for it.
 */
final class SortBeforeUnwind implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    UnwindStage unwind = Rule.stage(stages, at, UnwindStage.class);
    SortStage sort = Rule.stage(stages, at + 1, SortStage.class);
    if (unwind == null || sort == null || !isSafe(sort, unwind) || dependsOn(sort, unwind)) {
      return false;
    }
    stages.set(at, unwind.preserve() ? sort : sort.ofAll());
    stages.set(at + 1, unwind);
    if (sort.limit() > 0) {
      stages.add(at + 2, new LimitStage(sort.limit()));
    }
    return true;
  }

  /** Documents that the unwinding leaves out must not be the ones that cannot be sorted. */
  private static boolean isSafe(SortStage sort, UnwindStage unwind) {
    return !sort.pattern().hasMetadata()
        && (unwind.preserve() || sort.pattern().parts().size() == 1);
  }

  private static boolean dependsOn(SortStage sort, UnwindStage unwind) {
    return sort.pattern().parts().stream()
        .map(part -> part.path().withoutPositions())
        .anyMatch(
            path ->
                unwind.modifiedPaths().paths().stream()
                    .anyMatch(
                        changed ->
                            EarlierFilter.leadsTo(changed, path)
                                || EarlierFilter.leadsTo(path, changed)));
  }
}
