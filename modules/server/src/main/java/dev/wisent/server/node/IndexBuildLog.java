package dev.wisent.server.node;

import dev.wisent.base.log.Log;
import dev.wisent.bson.ValueText;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.IndexBuildListener;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.server.failpoint.FailPoints;
import java.util.List;

/** Log lines for index builds that take long: from the first to the last, with how far they are. */
public final class IndexBuildLog implements IndexBuildListener {
  private static final int STARTING_LOG_ID = 20384;
  private static final int PROGRESS_LOG_ID = 51773;
  private static final int DONE_LOG_ID = 20345;
  private static final int FAILED_LOG_ID = 20649;

  private final Log log;
  private final FailPoints failPoints;

  public IndexBuildLog(Log log, FailPoints failPoints) {
    this.log = log;
    this.failPoints = failPoints;
  }

  @Override
  public void started(Namespace namespace, List<IndexDefinition> indexes) {
    for (IndexDefinition index : indexes) {
      log.info(
          STARTING_LOG_ID,
          "Index build: starting",
          "namespace",
          namespace.full(),
          "properties",
          ValueText.of(index.spec()));
    }
  }

  @Override
  public void progress(Namespace namespace, OperationProgress progress) {
    log.info(
        PROGRESS_LOG_ID,
        "progress meter",
        "namespace",
        namespace.full(),
        "name",
        progress.name(),
        "done",
        progress.done(),
        "total",
        progress.total(),
        "percent",
        progress.percent());
  }

  @Override
  public void filled(OperationContext build) {
    failPoints.hangIndexBuild(build);
  }

  @Override
  public void done(Namespace namespace, List<IndexDefinition> indexes, long millis) {
    for (IndexDefinition index : indexes) {
      log.info(
          DONE_LOG_ID,
          "Index build: done building",
          "namespace",
          namespace.full(),
          "index",
          index.name(),
          "durationMillis",
          millis);
    }
  }

  @Override
  public void failed(Namespace namespace, List<IndexDefinition> indexes, Throwable why) {
    log.warn(
        FAILED_LOG_ID,
        "Index build: failed",
        "namespace",
        namespace.full(),
        "indexes",
        indexes.stream().map(IndexDefinition::name).toList(),
        "error",
        String.valueOf(why.getMessage()));
  }
}
