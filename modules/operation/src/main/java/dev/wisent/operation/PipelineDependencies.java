package dev.wisent.operation;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.path.FieldPath;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * What a pipeline looks at of the documents that a find gives it. The find may give more.
 *
 * @param fields an inclusion of the fields; empty for whole documents
 * @param grouped of which documents one is enough; null for all
 * @param sample which part of the documents is enough; null for all
 * @param metadata what documents have to carry; then they are whole
 */
public record PipelineDependencies(
    RawDocument fields, Grouped grouped, Sample sample, Set<MetaType> metadata) {
  /** Of an ordinary find, whose documents are wanted as they are. */
  public static final PipelineDependencies NONE =
      new PipelineDependencies(RawDocument.EMPTY, null, null, Set.of());

  /**
   * One document for each value of a field, in the order of the find.
   *
   * @param last whether it is the last of them, not the first
   */
  public record Grouped(FieldPath by, boolean last) {}

  /**
   * So many documents, any of them, in a random order.
   *
   * @param random gives numbers from 0 to below 1
   */
  public record Sample(long size, DoubleSupplier random) {}
}
