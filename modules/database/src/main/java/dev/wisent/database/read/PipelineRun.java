package dev.wisent.database.read;

import dev.wisent.database.exec.LookupReadCounts;
import dev.wisent.database.output.NodeOutput;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryOperation;
import dev.wisent.operation.SortSettings;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.OutStage;
import dev.wisent.pipeline.write.PipelineOutput;
import dev.wisent.query.collation.Collation;
import dev.wisent.sharding.RequestVersions;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * What the stages of a pipeline use of the database. It goes along with the pipeline's cursor from
 * one operation to the next, and takes along what stages read of other collections.
 */
public final class PipelineRun implements StageRun {
  private final Function<Namespace, ? extends LocalNamespaces> databases;
  private final Namespace namespace;
  private final SortSpace space;
  private final Set<NestedCursor> open = new HashSet<>();
  private PipelineOutput output;
  private LookupReadCounts reads;
  private final QueryOperation queryOperation;

  /** What stages read later is checked by these too; null if no router sent the pipeline. */
  private final RequestVersions routed;

  private OperationContext operation;

  /**
   * @param namespace of the pipeline itself
   * @param databases where the collections of a name are
   */
  public PipelineRun(
      Function<Namespace, ? extends LocalNamespaces> databases,
      SortSettings settings,
      Namespace namespace,
      OperationContext operation) {
    this.databases = databases;
    this.namespace = namespace;
    this.operation = operation;
    this.queryOperation = operation.query();
    this.routed = OperationState.routed(operation);
    this.output =
        new NodeOutput(
            databases, namespace.database(), operation.bypassesValidation(), this::operation);
    this.space = settings.space(operation);
  }

  @Override
  public SortSpace space() {
    return space;
  }

  @Override
  public OtherCollection collection(String database, String name, Collation collation) {
    String in = database == null ? namespace.database() : database;
    var there = new Namespace(in, nameOrNone(name));
    LocalNamespaces part = databases.apply(there);
    part.views().checkCollation(there, collation);
    return new CollectionReader(this, part, there);
  }

  /** A state of the past that the operation reads is one of the pipeline's own store alone. */
  void checkReadable(LocalNamespaces part, Namespace there) {
    if (operation.readPoint() != null && part != databases.apply(namespace)) {
      throw ReadState.notReplicated(there);
    }
    part.ownership().checkWhole(there, operation);
  }

  @Override
  public PipelineOutput output() {
    return output;
  }

  /** The same for an explain, which writes nothing. */
  public PipelineRun withoutWrites() {
    output =
        new PipelineOutput() {
          @Override
          public DocumentSink replace(OutStage stage) {
            return DocumentSink.ignoring();
          }

          @Override
          public DocumentSink merge(MergeStage stage) {
            return DocumentSink.ignoring();
          }
        };
    return this;
  }

  /** Has counted what stages read which are opened from now on. */
  public void count(LookupReadCounts into) {
    reads = into;
  }

  /** Counts what is read of other collections; null where it is not asked for. */
  LookupReadCounts reads() {
    return reads;
  }

  private static String nameOrNone(String name) {
    return name == null ? "$cmd.aggregate" : name;
  }

  OperationContext operation() {
    return operation;
  }

  void opened(NestedCursor cursor) {
    open.add(cursor);
  }

  void closed(NestedCursor cursor) {
    open.remove(cursor);
  }

  /** Takes up the work under an operation. */
  public void attach(OperationContext under) {
    operation = under;
    if (routed != null) {
      OperationState.routed(under, routed);
    }
    queryOperation.moveTo(under);
    for (NestedCursor cursor : open) {
      cursor.attach(under);
    }
  }

  /** Lets go of the operation and of what it has read. */
  public void detach() {
    for (NestedCursor cursor : open) {
      cursor.detach();
    }
    space.suspend();
    operation = null;
  }

  @Override
  public void close() {
    for (NestedCursor cursor : Set.copyOf(open)) {
      cursor.close();
    }
    space.close();
  }
}
