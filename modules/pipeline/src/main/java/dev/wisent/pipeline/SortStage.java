package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.pipeline.sort.SortedDocument;
import dev.wisent.pipeline.sort.Sorter;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import java.util.List;

/**
 * {@code $sort}.
 *
 * @param limit how many documents of the result are wanted; 0 for all
 */
public record SortStage(RawDocument source, SortPattern pattern, long limit) implements Stage {
  public static SortStage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.SORT_STAGE_NOT_OBJECT, "the $sort key specification must be an object");
    }
    if (argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.SORT_STAGE_EMPTY, "$sort stage must have at least one sort key");
    }
    RawDocument source = argument.asDocument();
    return new SortStage(source, SortPattern.parse(source, context.collation()), 0);
  }

  /** The same for so many documents, or for those that are wanted already. */
  public SortStage atMost(long count) {
    return new SortStage(source, pattern, limit == 0 ? count : Math.min(limit, count));
  }

  /** The same for all documents. */
  public SortStage ofAll() {
    return new SortStage(source, pattern, 0);
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    pattern.addDependencies(dependencies);
    return Sight.OF_INPUT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    return ModifiedPaths.NONE;
  }

  @Override
  public boolean letsFiltersPass() {
    return limit == 0;
  }

  @Override
  public List<RawDocument> serialize() {
    RawDocument sort = Stage.explained("$sort", pattern.toDocument());
    return limit == 0 ? List.of(sort) : List.of(sort, Stage.explained("$limit", limit));
  }

  @Override
  public StageSplit split(QueryContext context) {
    List<Stage> cut = limit == 0 ? List.of() : List.of(new LimitStage(limit));
    return new StageSplit.Divided(List.of(this), pattern, cut);
  }

  @Override
  public List<RawDocument> explained() {
    var key = new BsonBuilder().appendDocument("sortKey", pattern.toDocument());
    if (limit > 0) {
      key.appendInt64("limit", limit);
    }
    return List.of(Stage.explained("$sort", key.toDocument()));
  }

  /** Of a few documents hardly any is copied. */
  @Override
  public boolean copiesInput() {
    return limit == 0;
  }

  @Override
  public boolean takesOneByOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new GatheringStream() {
      private final Sorter sorter = new Sorter(pattern, limit, run.space());
      private boolean gathered;

      @Override
      public void gather() {
        RawDocument document;
        while ((document = input.next()) != null) {
          sorter.add(document, 0);
        }
      }

      @Override
      public RawDocument next() {
        if (!gathered) {
          gather();
          gathered = true;
        }
        SortedDocument next = sorter.next();
        return next == null ? null : next.document();
      }

      @Override
      public void appendUse(BsonBuilder out) {
        out.appendInt64("totalDataSizeSortedBytesEstimate", sorter.bytesSorted());
        out.appendBoolean("usedDisk", sorter.spills() > 0);
        out.appendInt64("spills", sorter.spills());
        out.appendInt64("spilledDataStorageSize", sorter.spilledBytes());
      }
    };
  }
}
