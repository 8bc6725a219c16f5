package dev.wisent.pipeline.join;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.UnwindStage;
import dev.wisent.query.path.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A stage that adds to each document an array of documents of another collection. */
public sealed interface JoinStage extends Stage permits LookupStage, GraphLookupStage {
  /** {@code $lookup}, say. */
  String name();

  /** The field for the array. */
  FieldPath as();

  /** An unwinding of the array that follows, and is done at once; null for none. */
  UnwindStage unwind();

  /** The same, with the result unwound. */
  JoinStage withUnwind(UnwindStage following);

  /** The arguments without the unwinding, in a document that is open. */
  BsonBuilder options();

  /** Whether an {@code $unwind} behind this stage can be done by it. */
  default boolean takesUnwind(UnwindStage following) {
    return unwind() == null && following.path().equals(as());
  }

  @Override
  default List<RawDocument> explained() {
    BsonBuilder out = options();
    if (unwind() != null) {
      out.startDocument("unwinding");
      out.appendBoolean("preserveNullAndEmptyArrays", unwind().preserve());
      if (unwind().indexPath() != null) {
        out.appendString("includeArrayIndex", unwind().indexPath().dotted());
      }
      out.end();
    }
    return List.of(Stage.explained(name(), out.toDocument()));
  }

  @Override
  default List<RawDocument> serialize() {
    RawDocument join = Stage.explained(name(), options().toDocument());
    return unwind() == null ? List.of(join) : List.of(join, unwind().serialize().getFirst());
  }

  @Override
  default ModifiedPaths modifiedPaths() {
    Set<String> paths = new HashSet<>(Set.of(as().dotted()));
    if (unwind() != null) {
      paths.addAll(unwind().modifiedPaths().paths());
    }
    return ModifiedPaths.of(paths);
  }

  @Override
  default boolean letsFiltersPass() {
    return true;
  }

  @Override
  default boolean keepsCount() {
    return unwind() == null;
  }

  @Override
  default boolean copiesInput() {
    return true;
  }
}
