package dev.wisent.conformance.fake;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.OutStage;
import dev.wisent.pipeline.write.PipelineOutput;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** What the stages of a pipeline use: other lists, and {@code $out}, but no {@code $merge}. */
final class FakeStageRun implements StageRun, PipelineOutput {
  private final FakeStore store;
  private final FakeReads reads;
  private final Namespace namespace;
  private final OperationContext operation;
  private final SortSpace space = SortSpace.inMemory();

  FakeStageRun(FakeStore store, FakeReads reads, Namespace namespace, OperationContext operation) {
    this.store = store;
    this.reads = reads;
    this.namespace = namespace;
    this.operation = operation;
  }

  @Override
  public SortSpace space() {
    return space;
  }

  @Override
  public OtherCollection collection(String database, String name, Collation collation) {
    FakeCollection found = name == null ? null : store.find(inPipeline(database, name));
    List<RawDocument> documents = found == null ? List.of() : List.copyOf(found.documents);
    return new OtherCollection() {
      @Override
      public OpenStream open(Pipeline pipeline, QueryContext context) {
        return new Results(
            reads.run(pipeline, documents.stream(), namespace, operation).iterator());
      }

      @Override
      public boolean findsByIndex(FieldPath path, QueryContext context) {
        return false;
      }

      @Override
      public long documents() {
        return documents.size();
      }

      @Override
      public long bytes() {
        return documents.stream().mapToLong(RawDocument::length).sum();
      }
    };
  }

  private Namespace inPipeline(String database, String name) {
    return new Namespace(database == null ? namespace.database() : database, name);
  }

  private record Results(Iterator<RawDocument> documents) implements OpenStream {
    @Override
    public RawDocument next() {
      return documents.hasNext() ? documents.next() : null;
    }

    @Override
    public void close() {}
  }

  @Override
  public PipelineOutput output() {
    return this;
  }

  @Override
  public DocumentSink replace(OutStage stage) {
    var taken = new ArrayList<RawDocument>();
    return new DocumentSink() {
      @Override
      public void add(RawDocument document) {
        taken.add(FakeCollection.copy(document));
      }

      @Override
      public void complete() {
        FakeCollection target =
            store.findOrCreate(inPipeline(stage.database(), stage.collection()));
        target.documents.clear();
        target.documents.addAll(taken);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public DocumentSink merge(MergeStage stage) {
    throw FakeStore.refused("$merge");
  }

  @Override
  public void close() {
    space.close();
  }
}
