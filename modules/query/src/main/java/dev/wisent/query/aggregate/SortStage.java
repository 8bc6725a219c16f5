package dev.wisent.query.aggregate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.sort.SortPattern;
import dev.wisent.query.sort.SortedDocument;
import dev.wisent.query.sort.Sorter;
import java.util.Iterator;

/** {@code $sort}. */
public record SortStage(RawDocument source, SortPattern pattern) implements Stage {
  static SortStage parse(RawValue argument) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.SORT_STAGE_NOT_OBJECT, "the $sort key specification must be an object");
    }
    if (argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.SORT_STAGE_EMPTY, "$sort stage must have at least one sort key");
    }
    return new SortStage(argument.asDocument(), SortPattern.parse(argument.asDocument()));
  }

  @Override
  public DocumentStream over(DocumentStream input) {
    return new DocumentStream() {
      private Iterator<SortedDocument> sorted;

      @Override
      public RawDocument next() {
        if (sorted == null) {
          sorted = sort(input);
        }
        return sorted.hasNext() ? sorted.next().document() : null;
      }
    };
  }

  private Iterator<SortedDocument> sort(DocumentStream input) {
    var sorter = new Sorter(pattern, 0);
    RawDocument document;
    while ((document = input.next()) != null) {
      sorter.add(RawDocument.of(document.toByteArray()), 0);
    }
    return sorter.finish().iterator();
  }
}
