package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.GeoNearStage;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.match.NearMatch;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.projection.Projection;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which metadata queries ask for, and whether it is to be had. */
public final class QueryMetadata {
  private QueryMetadata() {}

  /** What a sort and a projection ask for; what is null asks for nothing. */
  static Set<MetaType> of(SortPattern sort, Projection projection) {
    Set<MetaType> shown = projection == null ? Set.of() : projection.metadata();
    if (sort == null || !sort.hasMetadata()) {
      return shown;
    }
    var both = EnumSet.copyOf(sort.metadata());
    both.addAll(shown);
    return both;
  }

  /** Refuses a query that asks for what its filter does not bring with it. */
  static Query check(Query query) {
    Set<MetaType> asked = query.metadata();
    if (!asked.isEmpty()) {
      boolean near = NearMatch.of(query.filter()) != null;
      check(asked, TextMatch.in(query.filter()) != null, near);
    }
    return query;
  }

  /** Refuses stages that ask for what the first of them all does not bring with it. */
  public static void check(List<Stage> stages, Set<MetaType> asked) {
    if (!asked.isEmpty()) {
      Stage first = stages.isEmpty() ? null : stages.getFirst();
      boolean text = first instanceof MatchStage match && TextMatch.in(match.filter()) != null;
      check(asked, text, first instanceof GeoNearStage);
    }
  }

  /**
   * Refuses to give what the search does not bring with it. Other metadata is missing where it is
   * not there, which is no error.
   *
   * @param text whether text is searched
   * @param near whether documents are searched by their distance
   */
  static void check(Set<MetaType> asked, boolean text, boolean near) {
    for (MetaType type : asked) {
      boolean there =
          switch (type) {
            case TEXT_SCORE -> text;
            case GEO_NEAR_DISTANCE, GEO_NEAR_POINT -> near;
            default -> true;
          };
      if (!there) {
        throw new CommandException(
            ErrorCode.METADATA_NOT_AVAILABLE,
            "query requires " + type.description() + " metadata, but it is not available");
      }
    }
  }

  /** The fields of a result that are nothing but the keys of the sort. */
  static List<String> sortKeyFields(Query query) {
    if (query.sort() == null || !query.metadata().contains(MetaType.SORT_KEY)) {
      return List.of();
    }
    RawDocument asked =
        new BsonBuilder().appendString("$meta", MetaType.SORT_KEY.text()).toDocument();
    var fields = new ArrayList<String>();
    ElementCursor shown = query.projectionSource().elements();
    while (shown.next()) {
      if (shown.value().isDocument() && shown.value().asDocument().equals(asked)) {
        fields.add(shown.name());
      }
    }
    return fields;
  }

  /** Refuses a projection with the keys of a sort that is not asked for. */
  public static void checkSorted(Projection projection, boolean sorted) {
    if (!sorted && projection.metadata().contains(MetaType.SORT_KEY)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot use sortKey $meta projection without a sort");
    }
  }
}
