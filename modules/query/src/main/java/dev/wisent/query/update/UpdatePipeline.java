package dev.wisent.query.update;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Frame;

/** The stages of an update, as a function from the old document to the new one. */
@FunctionalInterface
public interface UpdatePipeline {
  /**
   * @param frame holds the variables; it is set to the document of each stage
   */
  RawDocument apply(RawDocument document, Frame frame);

  /** Parses the array of stages. The stages themselves belong to the module above. */
  @FunctionalInterface
  interface Parser {
    UpdatePipeline parse(RawDocument array, QueryContext context);
  }
}
