package dev.wisent.pipeline;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.projection.Excerpt;
import java.util.Collection;

/**
 * Documents without the fields that no stage looks at, so that stages which copy documents, some of
 * them many times, do not copy those.
 */
final class TrimmedStream implements DocumentStream {
  private final DocumentStream input;
  private final Excerpt excerpt;

  /**
   * @param paths what stages look at
   */
  TrimmedStream(DocumentStream input, Collection<String> paths) {
    this.input = input;
    this.excerpt = Excerpt.ofPaths(paths);
  }

  @Override
  public RawDocument next() {
    RawDocument document = input.next();
    return document == null ? null : excerpt.of(document);
  }
}
