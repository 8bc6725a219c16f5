package dev.wisent.pipeline;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.geo.NearQuery;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * {@code $geoNear}: what a find by distance gives, with the distances. The find goes before, so
 * this stage has only to write them.
 *
 * @param source the options as they were written
 * @param near the point to start from
 * @param minDistance null for none
 * @param maxDistance null for none
 * @param includeLocs where the place that was nearest is written; null for nowhere
 * @param query what documents must match besides
 * @param key where documents have their places; null until an index has been found
 */
public record GeoNearStage(
    RawDocument source,
    RawValue near,
    boolean spherical,
    RawValue minDistance,
    RawValue maxDistance,
    FieldPath distanceField,
    FieldPath includeLocs,
    double distanceMultiplier,
    RawDocument query,
    String key)
    implements Stage {
  static final String NAME = "$geoNear";

  static GeoNearStage parse(RawValue argument) {
    return GeoNearOptions.parse(argument);
  }

  /** The same for places in a field. */
  public GeoNearStage withKey(String field) {
    return new GeoNearStage(
        source,
        near,
        spherical,
        minDistance,
        maxDistance,
        distanceField,
        includeLocs,
        distanceMultiplier,
        query,
        field);
  }

  /** The filter of the find that goes before; without a key, what is known of it. */
  public RawDocument findFilter() {
    return key == null
        ? query
        : new BsonBuilder().appendAll(query).appendDocument(key, operators()).toDocument();
  }

  private RawDocument operators() {
    var out = new BsonBuilder();
    out.append(spherical ? "$nearSphere" : "$near", near);
    if (minDistance != null) {
      out.append("$minDistance", minDistance);
    }
    if (maxDistance != null) {
      out.append("$maxDistance", maxDistance);
    }
    return out.toDocument();
  }

  @Override
  public List<RawDocument> serialize() {
    return key == null || source.get("key") != null
        ? explained()
        : List.of(
            Stage.explained(
                NAME, new BsonBuilder().appendAll(source).appendString("key", key).toDocument()));
  }

  @Override
  public StageSplit split(QueryContext context) {
    var nearest = new SortPattern.Part(distanceField, distanceMultiplier < 0);
    return new StageSplit.Divided(
        List.of(this), new SortPattern(List.of(nearest), null), List.of());
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained(NAME, source));
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    NearQuery search = NearQuery.parse(FieldPath.of(key), operators());
    return () -> {
      RawDocument document = input.next();
      return document == null ? null : withDistance(document, search.nearest(document));
    };
  }

  private RawDocument withDistance(RawDocument document, NearQuery.Found found) {
    double distance = found.distance() * distanceMultiplier;
    RawDocument result = NestedField.set(document, distanceField, RawValue.ofDouble(distance));
    return includeLocs == null ? result : NestedField.set(result, includeLocs, found.place());
  }
}
