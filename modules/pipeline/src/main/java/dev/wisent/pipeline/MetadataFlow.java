package dev.wisent.pipeline;

import dev.wisent.query.metadata.MetaType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Between which stages of a pipeline documents carry metadata: from where it is put on them to the
 * last stage that asks for it. Where none does, stages are opened as they are.
 */
final class MetadataFlow {
  private final List<Stage> stages;

  /** What is carried to each stage, and behind the last; null where no stage asks for anything. */
  private final List<Set<MetaType>> wanted;

  /**
   * @param carried what results carry behind the last stage
   */
  MetadataFlow(List<Stage> stages, Set<MetaType> carried) {
    this.stages = stages;
    var asked = new ArrayList<Set<MetaType>>(stages.size());
    boolean any = !carried.isEmpty();
    for (Stage stage : stages) {
      Set<MetaType> metadata = stage.metadata();
      asked.add(metadata);
      any |= !metadata.isEmpty();
    }
    this.wanted = any ? wanted(asked, carried) : null;
  }

  private List<Set<MetaType>> wanted(List<Set<MetaType>> asked, Set<MetaType> results) {
    var all = new ArrayList<>(Collections.nCopies(stages.size() + 1, Set.<MetaType>of()));
    all.set(stages.size(), results);
    for (int i = stages.size() - 1; i >= 0; i--) {
      var carried = EnumSet.noneOf(MetaType.class);
      carried.addAll(asked.get(i));
      if (!stages.get(i).dropsMetadata()) {
        carried.addAll(all.get(i + 1));
      }
      all.set(i, carried);
    }
    return all;
  }

  /** What documents have to carry that come to a stage. */
  Set<MetaType> wanted(int stage) {
    return wanted == null ? Set.of() : wanted.get(stage);
  }

  /** Whether documents carry anything that come to a stage, or to a later one. */
  boolean isCarrying(int from) {
    return wanted != null
        && wanted.subList(from, wanted.size()).stream().anyMatch(s -> !s.isEmpty());
  }

  DocumentStream open(int at, DocumentStream input, StageRun run) {
    Stage stage = stages.get(at);
    boolean onward = !wanted(at + 1).isEmpty() && !stage.dropsMetadata();
    if (!onward) {
      DocumentStream stream = MeteredStream.open(stage, input, run);
      boolean left = !wanted(at).isEmpty() && !stage.dropsMetadata();
      return left ? CarriedMetadata.removed(stream) : stream;
    }
    Stage giving = stage.giving(wanted(at + 1));
    return giving.makesOneOfOne()
        ? new CarriedMetadata(giving, input, run)
        : MeteredStream.open(giving, input, run);
  }
}
