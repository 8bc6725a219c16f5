package dev.wisent.database.collection;

import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import java.util.List;

/** Who is told about builds that take long. Called by the thread that builds. */
public interface IndexBuildListener {
  /** Is told nothing. */
  IndexBuildListener NOBODY =
      new IndexBuildListener() {
        @Override
        public void started(Namespace namespace, List<IndexDefinition> indexes) {}

        @Override
        public void progress(Namespace namespace, OperationProgress progress) {}

        @Override
        public void done(Namespace namespace, List<IndexDefinition> indexes, long millis) {}

        @Override
        public void failed(Namespace namespace, List<IndexDefinition> indexes, Throwable why) {}
      };

  void started(Namespace namespace, List<IndexDefinition> indexes);

  /** Every few seconds. */
  void progress(Namespace namespace, OperationProgress progress);

  /**
   * The collection is in the indexes as it was at the beginning; what was written meanwhile comes
   * next. Who does not return keeps the build waiting.
   */
  default void filled(OperationContext build) {}

  /** The indexes can be used. */
  void done(Namespace namespace, List<IndexDefinition> indexes, long millis);

  void failed(Namespace namespace, List<IndexDefinition> indexes, Throwable why);
}
