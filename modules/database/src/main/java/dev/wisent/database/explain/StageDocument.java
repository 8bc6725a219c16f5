package dev.wisent.database.explain;

import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.database.plan.PlanNode.Project;
import dev.wisent.database.plan.SearchInterval;
import dev.wisent.database.plan.StageStats;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.ScanBounds;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.MatchDocument;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.path.FieldPath;
import java.util.List;

/**
 * The steps of a plan, each a document inside that of the step above it. Which fields there are and
 * in which order is MongoDB's.
 *
 * @param counted whether the figures of a run are wanted
 * @param collectionMissing why a plan finds nothing, if that is what it does
 */
public record StageDocument(boolean counted, boolean collectionMissing) {
  /** Adds the fields of the topmost step to the document that is open. */
  void appendRoot(StageStats stats, BsonBuilder out) {
    switch (stats.node()) {
      case PlanNode.IdLookup ignored -> appendExpress(stats.node().stage(), stats, null, out);
      case PlanNode.KeyLookup ignored -> appendExpress(stats.node().stage(), stats, null, out);
      case Project project when isExpress(project) ->
          appendExpress(project.input().stage(), stats, project.projection().source(), out);
      default -> append(stats, out);
    }
  }

  private static boolean isExpress(Project project) {
    return project.input() instanceof PlanNode.KeyLookup
        || (project.input() instanceof PlanNode.IdLookup && project.projection().isSimple());
  }

  /** A query for one key: by {@code _id}, and not planned, or by another index. */
  void appendExpress(String stage, StageStats stats, RawDocument projection, BsonBuilder out) {
    out.appendString("stage", stage);
    if (leaf(stats.node()) instanceof PlanNode.KeyLookup lookup) {
      out.appendString("keyPattern", ValueText.of(lookup.index().definition().key()));
      out.appendString("indexName", lookup.index().name());
    } else {
      out.appendString("keyPattern", "{ _id: 1 }");
      out.appendString("indexName", "_id_");
    }
    if (projection != null) {
      out.appendDocument("projection", projection);
      out.appendBoolean("projectionCovered", false);
    }
    if (counted) {
      number("keysExamined", stats.totalKeysExamined(), out);
      number("docsExamined", stats.totalDocumentsExamined(), out);
      number("nReturned", stats.advanced, out);
    }
  }

  private static PlanNode leaf(PlanNode node) {
    return node.children().isEmpty() ? node : leaf(node.children().getFirst());
  }

  /** Adds the fields of a step, and of those below it. */
  void append(StageStats stats, BsonBuilder out) {
    PlanNode node = stats.node();
    out.appendString("stage", node instanceof PlanNode.IdLookup ? "IDHACK" : node.stage());
    appendFilter(node, out);
    if (counted) {
      appendWorks(Works.of(stats), out);
    }
    appendOwn(node, stats, out);
    appendInputs(stats.children(), out);
  }

  /** What every step counts. */
  record Works(long nanos, long works, long advanced, long needTime, long suspended, boolean end) {
    static Works of(StageStats stats) {
      return new Works(
          stats.nanos, stats.works, stats.advanced, stats.needTime, stats.suspended, stats.ended);
    }

    /** A step over others that asks them until their end and gives so many rows itself. */
    static Works over(StageStats input, long advanced) {
      long needTime = Math.max(0, input.works - advanced - (input.ended ? 1 : 0));
      return new Works(input.nanos, input.works, advanced, needTime, input.suspended, input.ended);
    }
  }

  void appendWorks(Works works, BsonBuilder out) {
    number("nReturned", works.advanced(), out);
    number("executionTimeMillisEstimate", works.nanos() / 1_000_000, out);
    number("works", works.works(), out);
    number("advanced", works.advanced(), out);
    number("needTime", works.needTime(), out);
    number("needYield", 0, out);
    number("saveState", works.suspended(), out);
    number("restoreState", works.suspended(), out);
    out.appendInt32("isEOF", works.end() ? 1 : 0);
  }

  void appendInputs(List<StageStats> inputs, BsonBuilder out) {
    if (inputs.size() == 1) {
      out.startDocument("inputStage");
      append(inputs.getFirst(), out);
      out.end();
    } else if (inputs.size() > 1) {
      out.startArray("inputStages");
      for (int i = 0; i < inputs.size(); i++) {
        out.startDocument(i);
        append(inputs.get(i), out);
        out.end();
      }
      out.end();
    }
  }

  private static void appendFilter(PlanNode node, BsonBuilder out) {
    MatchExpression filter =
        switch (node) {
          case PlanNode.CollectionScan scan -> scan.filter();
          case PlanNode.IndexScan scan -> scan.filter();
          case PlanNode.Fetch fetch -> fetch.filter();
          case PlanNode.GeoNear near -> near.filter();
          default -> null;
        };
    if (filter != null && filter != AlwaysMatch.TRUE) {
      out.appendDocument("filter", MatchDocument.of(MatchNormalForm.of(filter)));
    }
  }

  private void appendOwn(PlanNode node, StageStats stats, BsonBuilder out) {
    switch (node) {
      case PlanNode.Eof ignored ->
          out.appendString(
              "type", collectionMissing ? "nonExistentNamespace" : "predicateEvalsToFalse");
      case PlanNode.CollectionScan scan -> {
        out.appendString("direction", direction(scan.reverse()));
        if (scan.range() != null) {
          out.appendTimestamp("minRecord", scan.range().first());
          out.appendTimestamp("maxRecord", scan.range().last());
        }
        counter("docsExamined", stats.documentsExamined, out);
      }
      case PlanNode.KeyLookup ignored -> appendLookup(stats, out);
      case PlanNode.IdLookup ignored -> appendLookup(stats, out);
      case PlanNode.IndexScan scan -> {
        appendIndex(scan.index(), scan.bounds(), out);
        out.appendString("direction", direction(scan.reverse()));
        BoundsText.append(scan.index(), scan.bounds(), scan.reverse(), out);
        counter("keysExamined", stats.keysExamined, out);
        counter("seeks", stats.seeks, out);
        counter("dupsTested", stats.duplicatesTested, out);
        counter("dupsDropped", stats.duplicatesDropped, out);
      }
      case PlanNode.GeoNear near -> appendNear(near, stats, out);
      case PlanNode.CountScan scan -> {
        counter("keysExamined", stats.keysExamined, out);
        appendIndex(scan.index(), scan.bounds(), out);
        BoundsText.appendKeys(scan.index(), scan.bounds(), out);
      }
      case PlanNode.DistinctScan scan -> {
        appendIndex(scan.index(), scan.bounds(), out);
        out.appendString("direction", direction(scan.reverse()));
        BoundsText.append(scan.index(), scan.bounds(), scan.reverse(), out);
        counter("keysExamined", stats.keysExamined, out);
      }
      case PlanNode.Fetch ignored -> {
        counter("docsExamined", stats.documentsExamined, out);
        counter("alreadyHasObj", 0, out);
      }
      case PlanNode.ShardingFilter ignored -> counter("chunkSkips", stats.chunkSkips, out);
      case PlanNode.Sort sort -> appendSort(sort, stats, out);
      case PlanNode.SortMerge merge -> {
        out.appendDocument("sortPattern", merge.pattern().toDocument());
        appendDuplicates(stats, out);
      }
      case PlanNode.Or ignored -> appendDuplicates(stats, out);
      case PlanNode.TextMatch match -> {
        TextDocument.append(match, out);
        counter("docsRejected", stats.documentsRejected, out);
      }
      case PlanNode.TextOr ignored -> counter("docsExamined", stats.documentsExamined, out);
      case PlanNode.Skip skip -> number("skipAmount", skip.count(), out);
      case PlanNode.Limit limit -> number("limitAmount", limit.count(), out);
      case Project project -> out.appendDocument("transformBy", project.projection().source());
      case PlanNode.RandomCursor ignored -> {}
      case PlanNode.ReturnKey ignored -> {}
      case PlanNode.Subplan ignored -> {}
    }
  }

  private void appendNear(PlanNode.GeoNear near, StageStats stats, BsonBuilder out) {
    appendIndex(near.index(), near.bounds(), out);
    BoundsText.append(near.index(), near.bounds(), false, out);
    if (counted) {
      number("keysExamined", stats.keysExamined, out);
      number("docsExamined", stats.documentsExamined, out);
      out.startArray("searchIntervals");
      for (int i = 0; i < stats.searchIntervals.size(); i++) {
        SearchInterval interval = stats.searchIntervals.get(i);
        out.startDocument(i)
            .appendDouble("minDistance", interval.min())
            .appendDouble("maxDistance", interval.max())
            .appendBoolean("maxInclusive", interval.last());
        number("nBuffered", interval.buffered(), out);
        number("nReturned", interval.returned(), out);
        out.end();
      }
      out.end();
    }
  }

  private void appendLookup(StageStats stats, BsonBuilder out) {
    counter("keysExamined", stats.keysExamined, out);
    counter("docsExamined", stats.documentsExamined, out);
  }

  private void appendDuplicates(StageStats stats, BsonBuilder out) {
    counter("dupsTested", stats.duplicatesTested, out);
    counter("dupsDropped", stats.duplicatesDropped, out);
  }

  private void appendSort(PlanNode.Sort sort, StageStats stats, BsonBuilder out) {
    out.appendDocument("sortPattern", sort.pattern().toDocument());
    number("memLimit", Limits.SORT_BYTES_MAX, out);
    if (sort.limit() > 0) {
      number("limitAmount", sort.limit(), out);
    }
    out.appendString("type", givesDocuments(sort.input()) ? "simple" : "default");
    if (counted) {
      number("totalDataSizeSorted", stats.sortedBytes, out);
      out.appendBoolean("usedDisk", stats.spills > 0);
      number("spills", stats.spills, out);
      number("spilledDataStorageSize", stats.spilledBytes, out);
    }
  }

  /** Whether the rows of a step have their documents, and not only index keys. */
  private static boolean givesDocuments(PlanNode node) {
    return switch (node) {
      case PlanNode.Fetch ignored -> true;
      case PlanNode.CollectionScan ignored -> true;
      case PlanNode.RandomCursor ignored -> true;
      case PlanNode.IdLookup ignored -> true;
      case PlanNode.KeyLookup ignored -> true;
      case PlanNode.TextOr ignored -> true;
      case PlanNode.GeoNear ignored -> true;
      case PlanNode.Leaf ignored -> false;
      default -> node.children().stream().allMatch(StageDocument::givesDocuments);
    };
  }

  private static void appendIndex(Index index, ScanBounds bounds, BsonBuilder out) {
    out.appendDocument("keyPattern", keyPattern(index, bounds));
    out.appendString("indexName", index.name());
    if (index.collation() != null) {
      out.appendDocument("collation", index.collation().document());
    }
    out.appendBoolean("isMultiKey", isMultikey(index, bounds));
    if (index.kind() != Index.Kind.TEXT) {
      appendMultikeyPaths(index, bounds, out);
    }
    out.appendBoolean("isUnique", index.isUnique());
    out.appendBoolean("isSparse", index.isSparse());
    out.appendBoolean("isPartial", index.partialFilter() != null);
    RawValue version = index.definition().spec().get("v");
    out.appendInt32("indexVersion", version == null ? 2 : (int) version.toLong());
  }

  /** Of a wildcard index only the paths count that the scan is about. */
  private static boolean isMultikey(Index index, ScanBounds bounds) {
    if (index.kind() != Index.Kind.WILDCARD || !(bounds instanceof ScanBounds.ByField byField)) {
      return index.isMultikey();
    }
    for (int part = 0; part < byField.fields().size(); part++) {
      if (wildcardArrays(index, part, FieldPath.of(byField.fields().get(part).name())) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Of a wildcard index the fields that the scan is about: {@code {$_path: 1, "a.b": 1}}. */
  private static RawDocument keyPattern(Index index, ScanBounds bounds) {
    if (index.kind() != Index.Kind.WILDCARD || !(bounds instanceof ScanBounds.ByField byField)) {
      return index.definition().key();
    }
    var pattern = new BsonBuilder();
    for (int i = 0; i < byField.fields().size(); i++) {
      pattern.appendInt32(byField.fields().get(i).name(), index.isKeyPartDescending(i) ? -1 : 1);
    }
    return pattern.toDocument();
  }

  private static void appendMultikeyPaths(Index index, ScanBounds bounds, BsonBuilder out) {
    out.startDocument("multiKeyPaths");
    if (index.kind() == Index.Kind.WILDCARD) {
      if (bounds instanceof ScanBounds.ByField byField) {
        appendWildcardPaths(index, byField.fields(), out);
      }
    } else {
      for (int i = 0; i < index.fieldCount(); i++) {
        appendArrayPaths(index.path(i), index.arrayParts(i), out);
      }
    }
    out.end();
  }

  private static void appendWildcardPaths(
      Index index, List<FieldIntervals> parts, BsonBuilder out) {
    for (int part = 0; part < parts.size(); part++) {
      FieldPath path = FieldPath.of(parts.get(part).name());
      appendArrayPaths(path, wildcardArrays(index, part, path), out);
    }
  }

  /** Which parts of a path are arrays: the wildcard has two parts of a key, path and value. */
  private static long wildcardArrays(Index index, int part, FieldPath path) {
    int wildcard = index.wildcardField();
    if (part == wildcard) {
      return 0;
    }
    return part == wildcard + 1
        ? index.wildcardArrayParts(path)
        : index.arrayParts(part < wildcard ? part : part - 1);
  }

  private static void appendArrayPaths(FieldPath path, long arrays, BsonBuilder out) {
    out.startArray(path.dotted());
    var way = new StringBuilder();
    int index = 0;
    for (int i = 0; i < path.length(); i++) {
      way.append(i == 0 ? "" : ".").append(path.name(i));
      if ((arrays >>> Math.min(i, Long.SIZE - 1) & 1) != 0) {
        out.append(index++, RawValue.ofString(way.toString()));
      }
    }
    out.end();
  }

  private static String direction(boolean reverse) {
    return reverse ? "backward" : "forward";
  }

  private void counter(String name, long value, BsonBuilder out) {
    if (counted) {
      number(name, value, out);
    }
  }

  /** A number in as few bytes as it needs, as MongoDB writes its counters. */
  static void number(String name, long value, BsonBuilder out) {
    if (value == (int) value) {
      out.appendInt32(name, (int) value);
    } else {
      out.appendInt64(name, value);
    }
  }
}
