package dev.wisent.database.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.GeoNearStage;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.key.KeyPattern.FieldKind;
import java.util.ArrayList;
import java.util.List;

/** The field of a {@code $geoNear} that names none: that of the only index of places. */
public final class GeoNearKey {
  private GeoNearKey() {}

  /** The pipeline of a request with that field filled in, if that is what it lacks. */
  public static Pipeline resolve(
      AggregateRequest request, Catalog catalog, OperationContext operation) {
    Pipeline pipeline = request.pipeline();
    List<Stage> stages = pipeline.stages();
    if (stages.isEmpty()
        || !(stages.getFirst() instanceof GeoNearStage near)
        || near.key() != null) {
      return pipeline;
    }
    Collection collection = catalog.find(request.namespace(), operation);
    if (collection == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND,
          "$geoNear requires a geo index to run, but " + request.namespace() + " does not exist");
    }
    var resolved = new ArrayList<>(stages);
    resolved.set(0, near.withKey(find(collection)));
    return pipeline.with(resolved);
  }

  /** Those of the plane go before those of the sphere. */
  private static String find(Collection collection) {
    for (FieldKind kind : List.of(FieldKind.PLANE, FieldKind.SPHERE)) {
      List<String> fields = fields(collection, kind);
      if (fields.size() > 1) {
        throw notFound(
            "There is more than one "
                + (kind == FieldKind.PLANE ? "2d" : "2dsphere")
                + " index on "
                + collection.namespace()
                + "; unsure which to use for $geoNear");
      }
      if (!fields.isEmpty()) {
        return fields.getFirst();
      }
    }
    throw notFound("$geoNear requires a 2d or 2dsphere index, but none were found");
  }

  private static List<String> fields(Collection collection, FieldKind kind) {
    var fields = new ArrayList<String>();
    for (Index index : collection.indexes()) {
      for (int i = 0; i < index.fieldCount(); i++) {
        if (index.fieldKind(i) == kind) {
          fields.add(index.path(i).dotted());
          break;
        }
      }
    }
    return fields;
  }

  private static CommandException notFound(String message) {
    return new CommandException(ErrorCode.INDEX_NOT_FOUND, message);
  }
}
