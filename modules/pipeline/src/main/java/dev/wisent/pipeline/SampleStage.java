package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.pipeline.sort.SortedDocument;
import dev.wisent.pipeline.sort.Sorter;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * {@code $sample}: some of the documents, each as likely as any other, in a random order. None is a
 * size that MongoDB refuses from 8.1 on.
 *
 * @param keyed whether documents carry the random numbers that they are in order by
 */
public record SampleStage(long size, DoubleSupplier random, boolean keyed)
    implements ChoosingStage {
  private static final String KEY = "k";
  private static final String VALUE = "v";
  private static final SortPattern BY_KEY =
      SortPattern.parse(new BsonBuilder().appendInt32(KEY, -1).toDocument(), null);

  private static final SortPattern BY_RANDOM =
      new SortPattern(
          List.of(new SortPattern.Part(MetaType.RAND_VAL.path(), true, MetaType.RAND_VAL)), null);

  static SampleStage parse(RawValue argument, QueryContext context) {
    require(
        argument.isDocument(),
        ErrorCode.SAMPLE_STAGE_NOT_OBJECT,
        "the $sample stage specification must be an object");
    RawValue size = null;
    ElementCursor options = argument.elements();
    while (options.next()) {
      require(
          options.name().equals("size"),
          ErrorCode.SAMPLE_STAGE_UNKNOWN,
          "unrecognized option to $sample: " + options.name());
      size = options.value();
      require(
          size.isNumber(),
          ErrorCode.SAMPLE_STAGE_SIZE_NOT_NUMBER,
          "size argument to $sample must be a number");
    }
    require(size != null, ErrorCode.SAMPLE_STAGE_WITHOUT_SIZE, "$sample stage must specify a size");
    require(
        size.toLong() >= 0,
        ErrorCode.SAMPLE_STAGE_SIZE_NEGATIVE,
        "size argument to $sample must not be negative");
    return new SampleStage(size.toLong(), context.random(), false);
  }

  private static void require(boolean condition, ErrorCode code, String message) {
    if (!condition) {
      throw new CommandException(code, message);
    }
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  /** Each shard gives as many as are wanted, in the order of their random numbers. */
  @Override
  public StageSplit split(QueryContext context) {
    return split(this, size);
  }

  static StageSplit split(Stage sample, long size) {
    return size == 0
        ? new StageSplit.AtMerge(MergeSite.ANYWHERE)
        : new StageSplit.Divided(List.of(sample), BY_RANDOM, List.of(new LimitStage(size)));
  }

  @Override
  public List<RawDocument> explained() {
    var options = new BsonBuilder().appendInt64("size", size);
    return List.of(Stage.explained("$sample", options.toDocument()));
  }

  @Override
  public Stage giving(Set<MetaType> wanted) {
    return wanted.contains(MetaType.RAND_VAL) ? new SampleStage(size, random, true) : this;
  }

  /** A sort by random numbers that keeps as many as are wanted. */
  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    if (size == 0) {
      return () -> null;
    }
    return new DocumentStream() {
      private final MetadataWriter writer = new MetadataWriter();
      private Sorter sorter;

      @Override
      public RawDocument next() {
        if (sorter == null) {
          sorter = new Sorter(BY_KEY, size, run.space());
          addAll(input, sorter);
        }
        SortedDocument next = sorter.next();
        return next == null ? null : document(next.document(), writer);
      }
    };
  }

  private RawDocument document(RawDocument entry, MetadataWriter writer) {
    RawDocument document = entry.get(VALUE).asDocument();
    return keyed ? writer.start().put(MetaType.RAND_VAL, entry.get(KEY)).on(document) : document;
  }

  private void addAll(DocumentStream input, Sorter sorter) {
    var keyed = new BsonBuilder();
    RawDocument document;
    while ((document = input.next()) != null) {
      keyed.reset(0);
      keyed.appendDouble(KEY, random.getAsDouble()).appendDocument(VALUE, document).end();
      sorter.add(new RawDocument(keyed.bytes(), 0, keyed.position()), 0);
    }
  }
}
