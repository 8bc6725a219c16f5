package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.sort.HeldMemory;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.projection.ComputedFields;
import java.util.LinkedHashMap;
import java.util.List;

/** One run of a {@link WindowStage}. */
final class WindowStream implements DocumentStream {
  /** After so many bytes of documents it is looked how much memory is held. */
  private static final int BYTES_PER_CHECK = 1 << 20;

  private final SortSpace space;
  private final HeldMemory memory;
  private final Partition partition;
  private final RunningFunction[] functions;
  private final ComputedFields fields;
  private final RawValue[] results;
  private final List<String> names;
  private final BsonBuilder out = new BsonBuilder();
  private final long bytesPerCheck;
  private long unchecked;
  private boolean started;
  private boolean ended;

  /** The most memory that each function had, and all of them with the documents. */
  private final long[] usedBytes;

  private long usedBytesTotal;
  private boolean usedDisk;

  WindowStream(WindowStage stage, DocumentStream input, SortSpace space) {
    this.space = space;
    this.memory = space.memory();
    this.bytesPerCheck = Math.min(BYTES_PER_CHECK, memory.bytesMax() / 16);
    this.partition =
        new Partition(
            counted(input), stage.partitionBy(), stage.collation(), space, this::countKept);
    List<WindowOutput> outputs = stage.outputs();
    this.functions =
        outputs.stream().map(output -> output.function().begin()).toArray(RunningFunction[]::new);
    this.results = new RawValue[functions.length];
    this.names = outputs.stream().map(output -> output.path().dotted()).toList();
    this.usedBytes = new long[functions.length];
    var computed = new LinkedHashMap<FieldPath, Expression>();
    for (int i = 0; i < functions.length; i++) {
      computed.put(outputs.get(i).path(), new Result(i));
    }
    this.fields = ComputedFields.of(computed);
  }

  private DocumentStream counted(DocumentStream input) {
    return () -> {
      RawDocument document = input.next();
      if (document != null) {
        countKept(document.length());
      }
      return document;
    };
  }

  /** Looks at the memory now and then: for one document a window may read and keep many others. */
  private void countKept(long bytes) {
    unchecked += bytes;
    if (unchecked > bytesPerCheck) {
      unchecked = 0;
      checkMemory();
    }
  }

  @Override
  public RawDocument next() {
    if (ended) {
      return null;
    }
    Partition.Advance advance = partition.advance(oldest());
    if (started && advance != Partition.Advance.SAME_PARTITION) {
      heldByFunctions();
    }
    started = true;
    if (advance == Partition.Advance.END) {
      ended = true;
      partition.close();
      memory.shrink(0);
      return null;
    }
    for (int i = 0; i < functions.length; i++) {
      if (advance == Partition.Advance.NEW_PARTITION) {
        functions[i].restart();
      }
      RawValue result = functions[i].next(partition);
      // The functions after this one may read on, and with that take the document away.
      results[i] = result == null || functions[i].ownsValue() ? result : result.detached();
    }
    Frame current = partition.frame(partition.position());
    if (fields == null) {
      return current.root();
    }
    out.reset(0);
    fields.append(current.root(), current, out);
    out.end();
    return new RawDocument(out.bytes(), 0, out.position());
  }

  private long oldest() {
    long oldest = Long.MAX_VALUE;
    for (RunningFunction function : functions) {
      oldest = Math.min(oldest, function.oldest());
    }
    return oldest;
  }

  private long heldByFunctions() {
    long held = 0;
    for (int i = 0; i < functions.length; i++) {
      long bytes = functions[i].bytes();
      usedBytes[i] = Math.max(usedBytes[i], bytes);
      held += bytes;
    }
    usedBytesTotal = Math.max(usedBytesTotal, held + partition.bytes());
    return held;
  }

  private void checkMemory() {
    long held = heldByFunctions();
    if (memory.allows(held + partition.bytes())) {
      return;
    }
    if (!memory.allows(held)) {
      throw new CommandException(
          ErrorCode.WINDOW_MEMORY,
          "Exceeded memory limit in DocumentSourceSetWindowFields, used "
              + (held + partition.bytes())
              + " bytes but max allowed is "
              + memory.bytesMax());
    }
    if (!space.hasFiles()) {
      throw new CommandException(
          ErrorCode.WINDOW_WITHOUT_DISK,
          "Exceeded max memory. Set 'allowDiskUse: true' to spill to disk");
    }
    partition.spill();
    memory.shrink(held + partition.bytes());
    usedDisk = true;
  }

  @Override
  public void appendUse(BsonBuilder explained) {
    explained.startDocument("maxFunctionMemoryUsageBytes");
    for (int i = 0; i < usedBytes.length; i++) {
      explained.appendInt64(names.get(i), usedBytes[i]);
    }
    explained.end();
    explained.appendInt64("maxTotalMemoryUsageBytes", usedBytesTotal);
    explained.appendBoolean("usedDisk", usedDisk);
  }

  /** The value of a function for the current document. */
  private final class Result extends Expression {
    private final int index;

    Result(int index) {
      this.index = index;
    }

    @Override
    public RawValue evaluate(Frame frame) {
      return results[index];
    }

    @Override
    public RawValue serialize() {
      throw new IllegalStateException("the stage explains itself");
    }

    @Override
    public void addDependencies(Dependencies dependencies) {
      // The function has said what it needs.
    }
  }
}
