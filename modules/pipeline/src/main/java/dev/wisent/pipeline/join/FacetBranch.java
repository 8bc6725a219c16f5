package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.CarriedMetadata;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.GatheringStream;
import dev.wisent.pipeline.MeteredStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.join.FacetStage.Facet;
import dev.wisent.query.metadata.Metadata;
import java.util.List;

/**
 * One pipeline of a {@code $facet} at work. Most take the documents one by one: as far as stages
 * make something of each document by itself, and then into one that gathers all of them. Others
 * want all documents from a stream of their own.
 */
final class FacetBranch {
  private final Facet facet;
  private final StageRun run;

  /** Whether documents come with metadata that this pipeline does not ask for. */
  private final boolean removing;

  private final Total total;
  private BsonBuilder out = new BsonBuilder();
  private int count;

  /** The document that was handed over and not yet taken. */
  private RawDocument handed;

  /** Null where documents are not gathered. */
  private GatheringStream gathering;

  /** What comes out; null where that takes a stream of all documents. */
  private DocumentStream results;

  /** What the pipelines of a stage have found so far, together. */
  static final class Total {
    private long bytes;

    private void add(int more) {
      bytes += more;
      if (bytes > Limits.GATHERED_BYTES_MAX) {
        throw new CommandException(
            ErrorCode.FACET_STAGE_TOO_LARGE,
            "document constructed by $facet is "
                + bytes
                + " bytes, which exceeds the limit of "
                + Limits.GATHERED_BYTES_MAX
                + " bytes");
      }
    }
  }

  /**
   * @param carrying whether documents come with metadata
   */
  FacetBranch(Facet facet, boolean carrying, StageRun run, Total total) {
    this.facet = facet;
    this.run = run;
    this.total = total;
    boolean asking = !facet.pipeline().metadata(0).isEmpty();
    this.removing = carrying && !asking;
    if (!asking) {
      open(facet.pipeline());
    }
  }

  private void open(Pipeline pipeline) {
    List<Stage> stages = pipeline.stages();
    DocumentStream stream = this::take;
    for (int i = 0; i < stages.size(); i++) {
      if (!stages.get(i).takesOneByOne()) {
        return;
      }
      stream = MeteredStream.open(stages.get(i), stream, run);
      if (stream instanceof GatheringStream all) {
        gathering = all;
        results = pipeline.over(stream, i + 1, run);
        return;
      }
    }
    results = stream;
  }

  private RawDocument take() {
    RawDocument document = handed;
    handed = null;
    return document;
  }

  /** Whether it takes documents one by one. */
  boolean takesOneByOne() {
    return results != null;
  }

  /** Hands over a document, of which nothing is needed afterwards. */
  void accept(RawDocument document) {
    handed = removing ? Metadata.remove(document) : document;
    if (gathering != null) {
      gathering.gather();
    } else {
      append(results);
    }
    handed = null;
  }

  /** Does all the work with documents from a stream. */
  void runOver(DocumentStream documents) {
    DocumentStream own = removing ? CarriedMetadata.removed(documents) : documents;
    append(facet.pipeline().over(own, 0, run));
  }

  /** Appends the results to the document of the stage. */
  void finish(BsonBuilder document) {
    if (gathering != null) {
      append(results);
    }
    document.appendArray(facet.name(), out.toDocument());
    out = null;
  }

  private void append(DocumentStream from) {
    RawDocument result;
    while ((result = from.next()) != null) {
      total.add(result.length());
      out.appendDocument(count++, result);
    }
  }
}
