package dev.wisent.pipeline;

import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.write.PipelineOutput;
import dev.wisent.query.collation.Collation;

/**
 * What the stages of one running pipeline may use of their runner. Belongs to one thread at a time;
 * closed by the runner of the pipeline, and with it everything that stages have opened here.
 */
public interface StageRun extends AutoCloseable {
  /** Memory and files of stages that need all documents at once. */
  SortSpace space();

  /**
   * A collection that a stage reads.
   *
   * @param database null for that of the pipeline itself
   * @param name null for a pipeline that makes its documents by itself
   * @param collation of the stage, which that of a view has to be; null for the simple one
   */
  OtherCollection collection(String database, String name, Collation collation);

  /** Where the last stage writes. */
  PipelineOutput output();

  @Override
  void close();

  /** A run that has nothing but the usual memory. */
  static StageRun inMemory() {
    return of(SortSpace.inMemory());
  }

  /** A run that reads no other collections. */
  static StageRun of(SortSpace space) {
    return new StageRun() {
      @Override
      public SortSpace space() {
        return space;
      }

      @Override
      public OtherCollection collection(String database, String name, Collation collation) {
        throw new IllegalStateException("there are no collections here");
      }

      @Override
      public PipelineOutput output() {
        throw new IllegalStateException("nothing can be written here");
      }

      @Override
      public void close() {
        space.close();
      }
    };
  }
}
