package dev.wisent.database.planner;

import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.PlanNode.Project;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** Puts the steps of a plan together: from where documents are found to what is sent. */
record PlanAssembler(Query query, PlanLimits limits) {
  /** A plan, and whether it has to read everything before it can give anything. */
  record Assembled(PlanNode plan, boolean blocking) {}

  /** A plan over documents that come in no particular order. */
  PlanNode overDocuments(PlanNode documents) {
    boolean blocking = query.sort() != null;
    PlanNode counting = owned(documents);
    PlanNode rows = skip(blocking ? sorted(counting) : counting);
    return limit(project(rows, projectionKind()), blocking);
  }

  /** Of rows with documents those that count: the ones that this shard owns. */
  private PlanNode owned(PlanNode documents) {
    return query.shardKey() == null ? documents : new PlanNode.ShardingFilter(documents);
  }

  private PlanNode sorted(PlanNode rows) {
    return new PlanNode.Sort(rows, query.sort(), query.sortLimit(), query.lookedAt());
  }

  Assembled over(Access access) {
    return access.isUnion() ? overUnion(access) : overIndex(access.only());
  }

  private Assembled overIndex(IndexAccess access) {
    PlanNode counted = count(access);
    if (counted != null) {
      return new Assembled(counted, false);
    }
    SortAnalysis order = order(access);
    boolean blocking = query.sort() != null && order == null;
    PlanNode scan = order == null ? access.scan(false) : scan(order);
    if (query.shardKey() != null) {
      if (access.filter() != null || !hasShardKey(access)) {
        PlanNode documents = owned(new PlanNode.Fetch(scan, access.filter()));
        return withDocuments(documents, blocking);
      }
      scan = new PlanNode.ShardingFilter(scan);
    }
    if (access.filter() == null && isCovered(access, blocking)) {
      PlanNode rows = skip(blocking ? sorted(scan) : scan);
      return new Assembled(
          limit(project(rows, Project.Kind.PROJECTION_COVERED), blocking), blocking);
    }
    if (access.filter() == null && !blocking && !needsDocuments()) {
      return new Assembled(limit(project(skip(scan), projectionKind()), false), false);
    }
    return withDocuments(scan, access.filter(), blocking);
  }

  /** Whether the keys say what the shard key of a document is. */
  private boolean hasShardKey(IndexAccess access) {
    return !access.view().isWildcard()
        && query.shardKey().fields().stream().allMatch(field -> hasShardKeyField(access, field));
  }

  private static boolean hasShardKeyField(IndexAccess access, KeyPattern.Field field) {
    if (field.kind() != KeyPattern.FieldKind.HASH) {
      return hasValues(access, field.path());
    }
    int part = access.view().partOf(field.path());
    return part >= 0
        && access.view().parts().get(part).kind() == KeyPart.Kind.HASH
        && !access.view().parts().get(part).hasArray();
  }

  private Assembled withDocuments(PlanNode documents, boolean blocking) {
    PlanNode rows = skip(blocking ? sorted(documents) : documents);
    return new Assembled(limit(project(rows, projectionKind()), blocking), blocking);
  }

  /** Where all documents are good, those to be skipped are not even read. */
  private Assembled withDocuments(PlanNode rows, MatchExpression filter, boolean blocking) {
    if (filter != null || blocking) {
      return withDocuments(new PlanNode.Fetch(rows, filter), blocking);
    }
    PlanNode documents = new PlanNode.Fetch(skip(rows), null);
    return new Assembled(limit(project(documents, projectionKind()), false), false);
  }

  /** The order of an access, if the query wants one and gets it. */
  private SortAnalysis order(IndexAccess access) {
    if (query.sort() == null) {
      return null;
    }
    SortAnalysis order = SortAnalysis.of(access, query.sort(), limits);
    // The keys of a wildcard index do not have the names of fields to merge by.
    return order != null && order.isMerge() && access.view().isWildcard() ? null : order;
  }

  private PlanNode scan(SortAnalysis order) {
    List<PlanNode> scans = scans(order);
    return scans.size() == 1 ? scans.getFirst() : new PlanNode.SortMerge(scans, query.sort());
  }

  private static List<PlanNode> scans(SortAnalysis order) {
    return order.scans().stream().<PlanNode>map(one -> one.scan(order.reverse())).toList();
  }

  /** Where documents are needed for some branch they are read in each, else after the union. */
  private Assembled overUnion(Access access) {
    boolean filtered = access.branches().stream().anyMatch(branch -> branch.filter() != null);
    List<SortAnalysis> orders = orders(access);
    boolean merged = orders != null;
    var inputs = new ArrayList<PlanNode>();
    for (int i = 0; i < access.branches().size(); i++) {
      IndexAccess branch = access.branches().get(i);
      List<PlanNode> scans = merged ? scans(orders.get(i)) : List.of(branch.scan(false));
      for (PlanNode scan : scans) {
        inputs.add(filtered ? new PlanNode.Fetch(scan, branch.filter()) : scan);
      }
    }
    PlanNode rows = merged ? new PlanNode.SortMerge(inputs, query.sort()) : new PlanNode.Or(inputs);
    boolean blocking = query.sort() != null && !merged;
    if (query.shardKey() != null) {
      PlanNode documents = filtered ? rows : new PlanNode.Fetch(rows, null);
      return withDocuments(owned(documents), blocking);
    }
    if (!filtered && (blocking || needsDocuments())) {
      return withDocuments(rows, null, blocking);
    }
    PlanNode ordered = skip(blocking ? sorted(rows) : rows);
    return new Assembled(limit(project(ordered, projectionKind()), blocking), blocking);
  }

  /** Null if no sort is wanted, or some branch comes in another order. */
  private List<SortAnalysis> orders(Access access) {
    if (query.sort() == null) {
      return null;
    }
    var orders = new ArrayList<SortAnalysis>();
    int scans = 0;
    for (IndexAccess branch : access.branches()) {
      SortAnalysis order = branch.view().isWildcard() ? null : order(branch);
      if (order == null) {
        return null;
      }
      orders.add(order);
      scans += order.scans().size();
    }
    return scans > SortAnalysis.SCANS_MAX ? null : orders;
  }

  /** A count that the keys of one range answer; null where that is not so. */
  private PlanNode count(IndexAccess access) {
    boolean answered =
        query.purpose() instanceof Query.Purpose.Count
            && query.shardKey() == null
            && access.filter() == null
            && access.keyFilter() == null
            && isOneRange(access.bounds());
    return answered ? new PlanNode.CountScan(access.index(), access.bounds()) : null;
  }

  private static boolean isOneRange(ScanBounds bounds) {
    if (!(bounds instanceof ScanBounds.ByField byField)) {
      return true;
    }
    boolean open = false;
    for (FieldIntervals field : byField.fields()) {
      if (field.intervals().size() != 1 || (open && !field.isAll())) {
        return false;
      }
      open |= !field.isPoint();
    }
    return true;
  }

  /**
   * The different values of a field from the keys of an index, if the fields before it have one
   * value each; null where that is not so. Where keys do not have the values, documents do.
   */
  PlanNode distinct(IndexAccess access, FieldPath key) {
    int field = access.view().partOf(key);
    if (field < 0
        || access.view().isWildcard()
        || access.filter() != null
        || access.keyFilter() != null
        || !isPlain(access.view().parts().get(field))
        || !access.isOrderedBy(query.collation(), field)
        || !access.fields().subList(0, field).stream().allMatch(FieldIntervals::isPoint)) {
      return null;
    }
    var scan = new PlanNode.DistinctScan(access.index(), access.bounds(), false, field);
    return access.hasValues(field) ? scan : new PlanNode.Fetch(scan, null);
  }

  private boolean needsDocuments() {
    return switch (query.purpose()) {
      case Query.Purpose.Count ignored -> false;
      case Query.Purpose.Distinct ignored -> true;
      case Query.Purpose.Write ignored -> true;
      case Query.Purpose.Find ignored -> !query.returnKey();
    };
  }

  /** Whether the keys have all that is sent, and all that has to be sorted by. */
  private boolean isCovered(IndexAccess access, boolean blocking) {
    if (query.projection() == null
        || query.returnKey()
        || access.view().isWildcard()
        || access.view().hashesAroundValues()
        || !query.projection().isPlainInclusion()) {
      return false;
    }
    boolean sent =
        query.projection().requiredFields().orElseThrow().stream()
            .allMatch(path -> hasValues(access, FieldPath.of(path)));
    return sent
        && (!blocking
            || query.sort().parts().stream()
                .map(SortPattern.Part::path)
                .allMatch(path -> hasValues(access, path)));
  }

  private static boolean hasValues(IndexAccess access, FieldPath path) {
    int part = access.view().partOf(path);
    return part >= 0 && isPlain(access.view().parts().get(part)) && access.hasValues(part);
  }

  /** Whether keys have the one value that a document has there. */
  private static boolean isPlain(KeyPart part) {
    return part.kind() == KeyPart.Kind.VALUE && !part.hasArray() && !part.mayPickElements();
  }

  private Project.Kind projectionKind() {
    return query.projection() != null && query.projection().isSimple()
        ? Project.Kind.PROJECTION_SIMPLE
        : Project.Kind.PROJECTION_DEFAULT;
  }

  /** Rows that are not needed are left out before anything is made of them. */
  private PlanNode skip(PlanNode rows) {
    return isFind() && query.skip() > 0 ? new PlanNode.Skip(rows, query.skip()) : rows;
  }

  private PlanNode project(PlanNode rows, Project.Kind kind) {
    if (!isFind()) {
      return rows;
    }
    if (query.returnKey()) {
      return new PlanNode.ReturnKey(rows, query.sort(), QueryMetadata.sortKeyFields(query));
    }
    boolean wanted =
        query.projection() != null && !(query.isLax() && kind != Project.Kind.PROJECTION_COVERED);
    return wanted ? new Project(rows, query.projection(), kind, query.sort()) : rows;
  }

  /** A sort has its own limit, which leaves no more than are wanted. */
  private PlanNode limit(PlanNode rows, boolean blocking) {
    boolean limited = blocking && query.sortLimit() > 0;
    return isFind() && query.limit() > 0 && !limited
        ? new PlanNode.Limit(rows, query.limit())
        : rows;
  }

  /**
   * One row for each value of a field: the first, or the last, in the order of the query. Null
   * where the keys of the index are not in that order, or there is more to be asked.
   */
  PlanNode grouped(IndexAccess access, PipelineDependencies.Grouped grouped) {
    int field = access.view().partOf(grouped.by());
    if (field < 0
        || access.view().isWildcard()
        || access.filter() != null
        || access.keyFilter() != null
        || access.index().isSparse()
        || !isPlain(access.view().parts().get(field))
        || !access.isOrderedBy(query.collation(), field)
        || !access.fields().subList(0, field).stream().allMatch(FieldIntervals::isPoint)) {
      return null;
    }
    List<SortPattern.Part> order = query.sort() == null ? List.of() : query.sort().parts();
    boolean reverse =
        !order.isEmpty() && isReverse(access, field, order.getFirst()) != grouped.last();
    for (int i = 0; i < order.size(); i++) {
      if (!isInOrder(access, field + i, order.get(i), reverse != grouped.last())) {
        return null;
      }
    }
    var scan = new PlanNode.DistinctScan(access.index(), access.bounds(), reverse, field, true);
    return isCovered(access, false)
        ? project(scan, Project.Kind.PROJECTION_COVERED)
        : project(new PlanNode.Fetch(scan, null), projectionKind());
  }

  private boolean isInOrder(
      IndexAccess access, int field, SortPattern.Part wanted, boolean reverse) {
    return field < access.view().parts().size()
        && access.view().partOf(wanted.path()) == field
        && isPlain(access.view().parts().get(field))
        && access.isOrderedBy(query.collation(), field)
        && isReverse(access, field, wanted) == reverse;
  }

  private static boolean isReverse(IndexAccess access, int field, SortPattern.Part wanted) {
    return field < access.index().fieldCount()
        && access.index().isDescending(field) != wanted.descending();
  }

  private boolean isFind() {
    return query.purpose() instanceof Query.Purpose.Find;
  }
}
