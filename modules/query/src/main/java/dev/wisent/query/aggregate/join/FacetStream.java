package dev.wisent.query.aggregate.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.DocumentStream;
import dev.wisent.query.aggregate.StageRun;
import dev.wisent.query.aggregate.join.FacetStage.Facet;
import dev.wisent.query.sort.DocumentLog;
import java.util.List;

/**
 * The one document of a {@code $facet}. The first pipeline reads the input, and what it has read is
 * kept for the others, in memory or a file; so the input is read once.
 */
final class FacetStream implements DocumentStream {
  private final List<Facet> facets;
  private final DocumentStream input;
  private final StageRun run;
  private final DocumentLog read;
  private boolean done;

  FacetStream(List<Facet> facets, DocumentStream input, StageRun run) {
    this.facets = facets;
    this.input = input;
    this.run = run;
    this.read = new DocumentLog(run.space());
  }

  @Override
  public RawDocument next() {
    if (done) {
      return null;
    }
    done = true;
    var out = new BsonBuilder();
    for (int i = 0; i < facets.size(); i++) {
      boolean others = i == 0 && facets.size() > 1;
      DocumentStream source = i > 0 ? read.reader()::next : others ? this::readAndKeep : input;
      append(facets.get(i), source, out);
      if (others) {
        // A pipeline need not read to the end.
        while (readAndKeep() != null) {
          run.space().checkInterrupt();
        }
      }
    }
    read.close();
    return out.toDocument();
  }

  private RawDocument readAndKeep() {
    RawDocument document = input.next();
    if (document != null) {
      read.add(document);
      if (read.memoryBytes() > run.space().bytesMax()) {
        read.spill();
      }
    }
    return document;
  }

  private void append(Facet facet, DocumentStream source, BsonBuilder out) {
    out.startArray(facet.name());
    DocumentStream results = facet.pipeline().over(source, 0, run);
    RawDocument result;
    for (int i = 0; (result = results.next()) != null; i++) {
      out.appendDocument(i, result);
      if (out.position() > Limits.DOCUMENT_BYTES_MAX_INTERNAL) {
        throw new CommandException(
            ErrorCode.FACET_STAGE_TOO_LARGE,
            "document constructed by $facet is "
                + out.position()
                + " bytes, which exceeds the limit of "
                + Limits.DOCUMENT_BYTES_MAX_INTERNAL
                + " bytes");
      }
    }
    out.end();
  }
}
