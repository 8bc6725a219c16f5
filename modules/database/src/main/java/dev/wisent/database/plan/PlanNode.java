package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.index.Index;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.geo.NearQuery;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.projection.Projection;
import dev.wisent.query.text.TextSearch;
import java.util.List;
import java.util.Set;

/**
 * A plan: a tree of steps, immutable, that says how the documents of a query are reached. The
 * planner makes it, the executor runs it, explain prints it. The names of the steps are MongoDB's.
 *
 * <p>Rows come up from the leaves with a record id and, from an index, its key; {@link Fetch} adds
 * the document.
 */
public sealed interface PlanNode {
  /** As explain calls the step. */
  String stage();

  List<PlanNode> children();

  /** A step without input. */
  sealed interface Leaf extends PlanNode {
    @Override
    default List<PlanNode> children() {
      return List.of();
    }
  }

  /** A step with one input. */
  sealed interface Unary extends PlanNode {
    PlanNode input();

    @Override
    default List<PlanNode> children() {
      return List.of(input());
    }
  }

  /** Nothing can match, or there is no collection. */
  record Eof() implements Leaf {
    @Override
    public String stage() {
      return "EOF";
    }
  }

  /**
   * Every record in the order of insertion, or backwards.
   *
   * @param range which of them, by record id; null for all
   * @param filter null to take all
   */
  record CollectionScan(
      boolean reverse, boolean tailable, RecordRange range, MatchExpression filter)
      implements Leaf {
    public CollectionScan(boolean reverse, boolean tailable, MatchExpression filter) {
      this(reverse, tailable, null, filter);
    }

    @Override
    public String stage() {
      return "COLLSCAN";
    }
  }

  /** Any records, each once, in a random order, until there are as many as are wanted. */
  record RandomCursor(PipelineDependencies.Sample sample) implements Leaf {
    @Override
    public String stage() {
      return "MULTI_ITERATOR";
    }
  }

  /** The record with this {@code _id}; comes with its document. */
  record IdLookup(RawValue id) implements Leaf {
    @Override
    public String stage() {
      return "EXPRESS_IXSCAN";
    }
  }

  /** The record of the first key within bounds; comes with its document. */
  record KeyLookup(Index index, ScanBounds bounds) implements Leaf {
    @Override
    public String stage() {
      return "EXPRESS_IXSCAN";
    }
  }

  /**
   * Keys of an index, in its order or backwards. Of a multikey index a record comes once.
   *
   * @param filter conditions that the key alone can answer; null for none
   */
  record IndexScan(Index index, ScanBounds bounds, boolean reverse, MatchExpression filter)
      implements Leaf {
    @Override
    public String stage() {
      return "IXSCAN";
    }
  }

  /**
   * Documents by their distance from a point, the nearest first, ring by ring around it.
   *
   * @param bounds which keys of the index count; of the place all do
   * @param filter null to take all
   * @param metadata what rows carry, as far as it is about the distance
   */
  record GeoNear(
      Index index,
      ScanBounds.ByField bounds,
      NearQuery near,
      MatchExpression filter,
      Set<MetaType> metadata)
      implements Leaf {
    @Override
    public String stage() {
      return index.kind() == Index.Kind.SPHERE ? "GEO_NEAR_2DSPHERE" : "GEO_NEAR_2D";
    }
  }

  /** How many keys are in the bounds, one row for each, without keys. */
  record CountScan(Index index, ScanBounds bounds) implements Leaf {
    @Override
    public String stage() {
      return "COUNT_SCAN";
    }
  }

  /**
   * The first key for each different value of one field, skipping the rest.
   *
   * @param field which field of the index; those before it have one value each
   * @param withMissing whether a missing field counts as a null
   */
  record DistinctScan(
      Index index, ScanBounds bounds, boolean reverse, int field, boolean withMissing)
      implements Leaf {
    /** Of values that are there. */
    public DistinctScan(Index index, ScanBounds bounds, boolean reverse, int field) {
      this(index, bounds, reverse, field, false);
    }

    @Override
    public String stage() {
      return "DISTINCT_SCAN";
    }
  }

  /**
   * The documents of records, those that match.
   *
   * @param filter null to take all
   */
  record Fetch(PlanNode input, MatchExpression filter) implements Unary {
    @Override
    public String stage() {
      return "FETCH";
    }
  }

  /**
   * Rows whose shard keys this shard owns. Each has its document, or was found by an index that has
   * the shard key.
   */
  record ShardingFilter(PlanNode input) implements Unary {
    @Override
    public String stage() {
      return "SHARDING_FILTER";
    }
  }

  /**
   * Rows in the order of a sort.
   *
   * @param limit how many of them are needed; 0 for all
   * @param paths what is looked at of a document afterwards; null for all of it
   */
  record Sort(PlanNode input, SortPattern pattern, long limit, Set<String> paths) implements Unary {
    public Sort(PlanNode input, SortPattern pattern, long limit) {
      this(input, pattern, limit, null);
    }

    @Override
    public String stage() {
      return "SORT";
    }
  }

  record Skip(PlanNode input, long count) implements Unary {
    @Override
    public String stage() {
      return "SKIP";
    }
  }

  record Limit(PlanNode input, long count) implements Unary {
    @Override
    public String stage() {
      return "LIMIT";
    }
  }

  /**
   * What is sent of a document.
   *
   * @param sort the order in which rows come, whose keys may be asked for; null for any
   */
  record Project(PlanNode input, Projection projection, Kind kind, SortPattern sort)
      implements Unary {
    public Project(PlanNode input, Projection projection, Kind kind) {
      this(input, projection, kind, null);
    }

    /** How it is made. */
    public enum Kind {
      /** From the key of an index, without a document. */
      PROJECTION_COVERED,
      /** Top-level fields in or out. */
      PROJECTION_SIMPLE,
      PROJECTION_DEFAULT
    }

    @Override
    public String stage() {
      return kind.name();
    }
  }

  /**
   * The key of the index that a row was found by, instead of the document.
   *
   * @param sort the order in which rows come; null for any
   * @param sortKeyFields the fields that have its keys, which is all that is left of a projection
   */
  record ReturnKey(PlanNode input, SortPattern sort, List<String> sortKeyFields) implements Unary {
    public ReturnKey(PlanNode input) {
      this(input, null, List.of());
    }

    @Override
    public String stage() {
      return "RETURN_KEY";
    }
  }

  /**
   * Of the documents that have one of the terms of a search those that have all that it wants.
   *
   * @param prefix the values of the fields in front of the terms
   */
  record TextMatch(PlanNode input, Index index, TextSearch search, RawDocument prefix)
      implements Unary {
    @Override
    public String stage() {
      return "TEXT_MATCH";
    }
  }

  /**
   * The documents of records that scans of a text index find, each once, with the sum of its
   * scores.
   */
  record TextOr(List<PlanNode> children, Index index, TextSearch search) implements PlanNode {
    public TextOr {
      children = List.copyOf(children);
    }

    @Override
    public String stage() {
      return "TEXT_OR";
    }
  }

  /** Rows of any input, each record once. */
  record Or(List<PlanNode> children) implements PlanNode {
    public Or {
      children = List.copyOf(children);
    }

    @Override
    public String stage() {
      return "OR";
    }
  }

  /** Rows of inputs that are sorted, merged in that order, each record once. */
  record SortMerge(List<PlanNode> children, SortPattern pattern) implements PlanNode {
    public SortMerge {
      children = List.copyOf(children);
    }

    @Override
    public String stage() {
      return "SORT_MERGE";
    }
  }

  /** A rooted {@code $or} of which each branch was planned by itself. */
  record Subplan(PlanNode input) implements Unary {
    @Override
    public String stage() {
      return "SUBPLAN";
    }
  }
}
