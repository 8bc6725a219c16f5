package dev.wisent.query.aggregate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.QueryContext;
import dev.wisent.query.sort.SortPattern;
import dev.wisent.query.sort.SortedDocument;
import dev.wisent.query.sort.Sorter;
import java.util.List;

/** {@code $sort}. */
public record SortStage(RawDocument source, SortPattern pattern) implements Stage {
  static SortStage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.SORT_STAGE_NOT_OBJECT, "the $sort key specification must be an object");
    }
    if (argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.SORT_STAGE_EMPTY, "$sort stage must have at least one sort key");
    }
    RawDocument source = argument.asDocument();
    return new SortStage(source, SortPattern.parse(source, context.collation()));
  }

  @Override
  public boolean needsTextScore() {
    return pattern.needsTextScore();
  }

  @Override
  public List<RawDocument> explained() {
    var key = new BsonBuilder().appendDocument("sortKey", pattern.toDocument());
    return List.of(Stage.explained("$sort", key.toDocument()));
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new DocumentStream() {
      private Sorter sorter;

      @Override
      public RawDocument next() {
        if (sorter == null) {
          sorter = new Sorter(pattern, 0, run.space());
          addAll(input, sorter);
        }
        SortedDocument next = sorter.next();
        return next == null ? null : next.document();
      }
    };
  }

  private static void addAll(DocumentStream input, Sorter sorter) {
    RawDocument document;
    while ((document = input.next()) != null) {
      sorter.add(RawDocument.of(document.toByteArray()), 0);
    }
  }
}
