package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.pipeline.write.PipelineOutput;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collections in memory, which stages can read. It counts what they do. */
final class TestCollections implements StageRun {
  private final Map<String, List<RawDocument>> collections = new HashMap<>();
  private final MemoryScratch scratch = new MemoryScratch();
  private final SortSpace space;
  private boolean indexed;
  private int opened;
  private int open;

  private TestCollections(long bytesMax, boolean files) {
    this.space = new SortSpace(bytesMax, files ? scratch : null, WorkMeter.unchecked());
  }

  static TestCollections inMemory() {
    return new TestCollections(100 << 20, true);
  }

  static TestCollections withMemory(long bytesMax, boolean files) {
    return new TestCollections(bytesMax, files);
  }

  TestCollections with(String name, String documents) {
    return with(name, StageFixture.documents(documents));
  }

  TestCollections with(String name, List<RawDocument> documents) {
    collections.put(name, documents);
    return this;
  }

  /** Says that an index finds everything. */
  TestCollections indexed() {
    indexed = true;
    return this;
  }

  /** How many times a collection was read. */
  int opened() {
    return opened;
  }

  /** How many streams were not closed. */
  int open() {
    return open;
  }

  int filesCreated() {
    return scratch.created();
  }

  int openFiles() {
    return scratch.openFiles();
  }

  List<RawDocument> run(String stages, String input) {
    return run(StageFixture.parse(stages), StageFixture.documents(input));
  }

  List<RawDocument> run(Pipeline pipeline, List<RawDocument> input) {
    return StageFixture.run(pipeline, input, this);
  }

  @Override
  public SortSpace space() {
    return space;
  }

  @Override
  public OtherCollection collection(String database, String name, Collation collation) {
    List<RawDocument> documents = name == null ? List.of() : collections.get(name);
    return new OtherCollection() {
      @Override
      public OpenStream open(Pipeline pipeline, QueryContext context) {
        opened++;
        open++;
        List<RawDocument> input = documents == null ? List.of() : documents;
        DocumentStream stream = pipeline.over(StageFixture.stream(input), 0, TestCollections.this);
        return new OpenStream() {
          @Override
          public RawDocument next() {
            return stream.next();
          }

          @Override
          public void close() {
            open--;
          }
        };
      }

      @Override
      public boolean findsByIndex(FieldPath path, QueryContext context) {
        return indexed;
      }

      @Override
      public long documents() {
        return documents == null ? 0 : documents.size();
      }

      @Override
      public long bytes() {
        return 0;
      }
    };
  }

  @Override
  public PipelineOutput output() {
    throw new IllegalStateException("nothing can be written here");
  }

  @Override
  public void close() {
    space.close();
  }
}
