package dev.wisent.pipeline.join;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.join.FacetStage.Facet;
import dev.wisent.pipeline.sort.DocumentLog;
import dev.wisent.pipeline.sort.HeldMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * The one document of a {@code $facet}. The input is read once, and each document handed to all
 * pipelines. For those that do not take documents one by one they are kept, in memory or a file.
 */
final class FacetStream implements DocumentStream {
  private final List<Facet> facets;
  private final boolean carrying;
  private final DocumentStream input;
  private final StageRun run;
  private boolean done;

  /**
   * @param carrying whether documents come with metadata, which not all pipelines ask for
   */
  FacetStream(List<Facet> facets, boolean carrying, DocumentStream input, StageRun run) {
    this.facets = facets;
    this.carrying = carrying;
    this.input = input;
    this.run = run;
  }

  @Override
  public RawDocument next() {
    if (done) {
      return null;
    }
    done = true;
    var total = new FacetBranch.Total();
    List<FacetBranch> branches =
        facets.stream().map(facet -> new FacetBranch(facet, carrying, run, total)).toList();
    var early = new ArrayList<FacetBranch>();
    var late = new ArrayList<FacetBranch>();
    for (FacetBranch branch : branches) {
      (branch.takesOneByOne() ? early : late).add(branch);
    }
    if (early.isEmpty() && late.size() == 1) {
      late.getFirst().runOver(input);
    } else {
      readOnce(early, late);
    }
    var out = new BsonBuilder();
    branches.forEach(branch -> branch.finish(out));
    return out.toDocument();
  }

  private void readOnce(List<FacetBranch> early, List<FacetBranch> late) {
    var kept = new DocumentLog(run.space());
    HeldMemory memory = run.space().memory();
    RawDocument document;
    while ((document = input.next()) != null) {
      for (int i = 0; i < early.size(); i++) {
        early.get(i).accept(document);
      }
      if (!late.isEmpty()) {
        kept.add(document);
        if (!memory.allows(kept.memoryBytes())) {
          kept.spill();
          memory.shrink(kept.memoryBytes());
        }
      }
    }
    for (FacetBranch branch : late) {
      branch.runOver(kept.reader()::next);
    }
    kept.close();
    memory.shrink(0);
  }
}
