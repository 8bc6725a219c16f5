package dev.wisent.database.planner;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.collection.PreImages;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.QueryShape;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.ExactId;
import dev.wisent.query.match.MatchDocument;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.projection.Projection;
import dev.wisent.sharding.ShardKeyPattern;
import java.util.Set;

/**
 * What plans are made for, parsed and checked. A query by {@code _id} alone needs none of this: ask
 * {@link #exactId(FindRequest, Collation)} before.
 *
 * @param purpose what the documents are wanted for
 * @param filterSource the filter as the client wrote it; empty for all documents
 * @param filter the same, parsed
 * @param sortSource the sort as the client wrote it; empty for any order
 * @param sort the same, parsed; null for none and for the natural order
 * @param projectionSource the projection as the client wrote it; empty for none
 * @param projection the same, parsed; null for none
 * @param hint null, an index name, a key pattern or {@code {$natural: ±1}}
 * @param min inclusive lower bound by the hinted index, or null
 * @param max exclusive upper bound by the hinted index, or null
 * @param skip how many documents to leave out
 * @param limit how many documents to give then; 0 for all
 * @param tailable whether the reading goes on when there is more at the end
 * @param collation how strings compare; null for the simple one
 * @param shardKey by which documents are left out that this shard does not own; null where all
 *     documents count
 */
public record Query(
    Purpose purpose,
    RawDocument filterSource,
    MatchExpression filter,
    RawDocument sortSource,
    SortPattern sort,
    RawDocument projectionSource,
    Projection projection,
    RawValue hint,
    RawDocument min,
    RawDocument max,
    long skip,
    long limit,
    boolean returnKey,
    boolean showRecordId,
    boolean tailable,
    Collation collation,
    ShardKeyPattern shardKey) {
  static final String NATURAL = "$natural";

  /** What the documents of a query are wanted for. */
  public sealed interface Purpose {
    /**
     * To be sent.
     *
     * @param lax whether rows may have more than the projection says
     * @param grouped of which rows one is enough; null for all
     * @param sample which part of all documents is enough; null for all
     */
    record Find(
        boolean lax, PipelineDependencies.Grouped grouped, PipelineDependencies.Sample sample)
        implements Purpose {}

    /** Only their number counts. */
    record Count() implements Purpose {}

    /** Only the different values of a field count. */
    record Distinct(FieldPath key) implements Purpose {}

    /** To be changed: the whole document is needed. */
    record Write() implements Purpose {}
  }

  /**
   * @param ofCollection the collation of the collection; null for the simple one
   */
  public static Query find(
      FindRequest request, Collation ofCollection, OperationContext operation) {
    Collation collation = request.collation().or(ofCollection);
    QueryContext context = QueryContexts.of(operation, collation);
    RawDocument needed = request.needs().fields();
    boolean lax = request.projection().isEmpty() && !needed.isEmpty();
    Projection projection =
        lax ? Projection.parse(needed, null, context) : parseProjection(request, context);
    var query =
        new Query(
            new Purpose.Find(lax, request.needs().grouped(), request.needs().sample()),
            request.filter(),
            request.parsedFilter() == null
                ? MatchParser.parse(request.filter(), context)
                : request.parsedFilter(),
            request.sort(),
            parseSort(request.sort(), collation),
            projection == null ? RawDocument.EMPTY : projection.source(),
            projection,
            request.hint(),
            request.min(),
            request.max(),
            request.skip(),
            request.limit(),
            request.returnKey(),
            request.showRecordId(),
            request.tailing() != FindRequest.Tailing.NONE,
            collation,
            null);
    return NaturalSort.checkHint(QueryMetadata.check(query));
  }

  /** The one who counts also sees to skip and limit; no step of a plan does. */
  public static Query count(
      CountRequest request, Collation ofCollection, OperationContext operation) {
    Collation collation = request.collation().or(ofCollection);
    return of(
        new Purpose.Count(),
        request.query(),
        request.parsedQuery(),
        RawDocument.EMPTY,
        request.hint(),
        collation,
        operation);
  }

  public static Query distinct(
      DistinctRequest request, Collation ofCollection, OperationContext operation) {
    return of(
        new Purpose.Distinct(FieldPath.of(request.key())),
        request.query(),
        null,
        RawDocument.EMPTY,
        request.hint(),
        request.collation().or(ofCollection),
        operation);
  }

  /**
   * @param collation null for the simple one
   */
  public static Query write(
      RawDocument filter,
      RawDocument sort,
      RawValue hint,
      Collation collation,
      OperationContext operation) {
    return of(new Purpose.Write(), filter, null, sort, hint, collation, operation);
  }

  /**
   * @param parsed null where that is still to be done
   */
  private static Query of(
      Purpose purpose,
      RawDocument filter,
      MatchExpression parsed,
      RawDocument sort,
      RawValue hint,
      Collation collation,
      OperationContext operation) {
    var query =
        new Query(
            purpose,
            filter,
            parsed == null
                ? MatchParser.parse(filter, QueryContexts.of(operation, collation))
                : parsed,
            sort,
            parseSort(sort, collation),
            RawDocument.EMPTY,
            null,
            hint,
            null,
            null,
            0,
            0,
            false,
            false,
            false,
            collation,
            null);
    return NaturalSort.checkHint(QueryMetadata.check(query));
  }

  /**
   * The {@code _id} of a find by that alone; null for every other. Nothing is parsed for it.
   *
   * @param ofCollection the collation of the collection, whose {@code _id} index has it too; only
   *     looked at where the request names one
   */
  public static RawValue exactId(FindRequest request, Collation ofCollection) {
    return request.min() == null
            && request.max() == null
            && request.tailing() == FindRequest.Tailing.NONE
            && !request.namespace().equals(Oplog.NAMESPACE)
            && !request.namespace().equals(PreImages.NAMESPACE)
        ? exactId(request.filter(), request.hint(), request.collation(), ofCollection)
        : null;
  }

  /** The {@code _id} of a filter by that alone; null for every other. Nothing is parsed for it. */
  public static RawValue exactId(
      RawDocument filter, RawValue hint, CollationChoice choice, Collation ofCollection) {
    RawValue id = hint == null ? ExactId.of(filter) : null;
    if (id == null || choice.isInherited()) {
      return id;
    }
    Collation collation = choice.or(null);
    boolean alike = !Collation.affects(id.type()) || Collation.same(collation, ofCollection);
    return alike ? id : null;
  }

  /** The plan of a find by {@code _id} alone. */
  public static PlanNode planById(
      FindRequest request, RawValue id, Collation ofCollection, OperationContext operation) {
    Collation collation = request.collation().or(ofCollection);
    SortPattern sort = parseSort(request.sort(), collation);
    QueryMetadata.check(QueryMetadata.of(sort, null), false, false);
    PlanNode plan = new PlanNode.IdLookup(id);
    if (request.skip() > 0) {
      plan = new PlanNode.Skip(plan, request.skip());
    }
    if (request.returnKey()) {
      return new PlanNode.ReturnKey(plan);
    }
    Projection projection = parseProjection(request, QueryContexts.of(operation, collation));
    QueryMetadata.check(QueryMetadata.of(null, projection), false, false);
    return projection == null
        ? plan
        : new PlanNode.Project(plan, projection, PlanNode.Project.Kind.PROJECTION_DEFAULT, sort);
  }

  private static Projection parseProjection(FindRequest request, QueryContext context) {
    if (!request.needs().metadata().isEmpty()) {
      return Projection.withMetadata(request.needs().metadata());
    }
    if (request.projection().isEmpty()) {
      return null;
    }
    var projection = Projection.parse(request.projection(), request.filter(), context);
    QueryMetadata.checkSorted(projection, !request.sort().isEmpty());
    return projection;
  }

  /** Fails for what is no sort. */
  public static void checkSort(RawDocument sort) {
    parseSort(sort, null);
  }

  /** A sort, checked; null for none and for the natural order. */
  private static SortPattern parseSort(RawDocument sort, Collation collation) {
    if (sort.isEmpty()) {
      return null;
    }
    RawValue natural = sort.get(NATURAL);
    if (natural == null) {
      return SortPattern.parse(sort, collation);
    }
    if (!natural.isNumber() || Math.abs(natural.toDouble()) != 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "$natural sort cannot be set to a value other than -1 or 1.");
    }
    return null;
  }

  /** The same with the choice of an index left to others: index filters go before hints. */
  Query withoutHint() {
    return min != null || max != null || hint == null ? this : with(filter, null, shardKey);
  }

  /** The same with a filter that says the same. */
  Query withFilter(MatchExpression same) {
    return with(same, hint, shardKey);
  }

  /** The same for a shard that has documents which it does not own. */
  public Query ofOwned(ShardKeyPattern key) {
    return with(filter, hint, key);
  }

  private Query with(MatchExpression newFilter, RawValue newHint, ShardKeyPattern newShardKey) {
    return new Query(
        purpose,
        filterSource,
        newFilter,
        sortSource,
        sort,
        projectionSource,
        projection,
        newHint,
        min,
        max,
        skip,
        limit,
        returnKey,
        showRecordId,
        tailable,
        collation,
        newShardKey);
  }

  /** One branch of the filter, a disjunction, as a query of its own. */
  Query branch(MatchExpression branch) {
    return new Query(
        purpose,
        MatchDocument.of(branch),
        branch,
        sortSource,
        sort,
        projectionSource,
        projection,
        null,
        null,
        null,
        0,
        0,
        returnKey,
        showRecordId,
        false,
        collation,
        shardKey);
  }

  /** Whether the projection only says what is looked at, so that rows may have more. */
  boolean isLax() {
    return purpose instanceof Purpose.Find find && find.lax();
  }

  /** Which part of all documents is enough; null for all. */
  PipelineDependencies.Sample sample() {
    return purpose instanceof Purpose.Find find ? find.sample() : null;
  }

  /** The paths that are looked at where rows may have more; null where rows are wanted whole. */
  Set<String> lookedAt() {
    return isLax() ? projection.requiredFields().orElse(null) : null;
  }

  /** What its rows have to carry. */
  public Set<MetaType> metadata() {
    return QueryMetadata.of(sort, projection);
  }

  /** Whether its rows carry what those who take them do not go on with. */
  public boolean removesMetadata() {
    return !metadata().isEmpty() && (projection == null || !projection.keepsMetadata());
  }

  /** What this query has in common with others that differ in values only. */
  public QueryShape shape() {
    return QueryShape.of(filter, sortSource, projectionSource, collation);
  }

  /** Whether the plan for it may be remembered: not where it could hardly be another. */
  public boolean isCacheable() {
    return hint == null
        && min == null
        && max == null
        && !tailable
        && !isNaturalSort()
        && !(filterSource.isEmpty() && sort == null);
  }

  /** How many documents of a sort are needed; 0 for all. */
  public long sortLimit() {
    long last = skip + limit;
    return limit == 0 || last < 0 ? 0 : last;
  }

  /** Whether the sort is {@code {$natural: ±1}}. */
  boolean isNaturalSort() {
    return sort == null && !sortSource.isEmpty();
  }

  boolean isReverseNaturalSort() {
    return isNaturalSort() && sortSource.get(NATURAL).toLong() < 0;
  }
}
