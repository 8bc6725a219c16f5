package dev.wisent.sharding.advice;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.path.FieldPath;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.advice.SampledQuery.Kind;
import java.util.EnumMap;
import java.util.Map;

/** Counts how queries would be spread over the ranges of a shard key. */
public final class QueryDistribution {
  private final RoutingTable table;
  private final QueryTargeting targeting;
  private final Map<Kind, Long> samples = new EnumMap<>(Kind.class);
  private final Side reads;
  private final Side writes;
  private long shardKeyUpdates;
  private long singleWithoutKey;
  private long multiWithoutKey;

  /** The counts of reads, or of writes. */
  public static final class Side {
    private final long[] byRange;
    private final long[] byReach = new long[QueryTargeting.Reach.values().length];

    private Side(int ranges) {
      this.byRange = new long[ranges];
    }

    private void add(QueryTargeting.Target target) {
      byReach[target.reach().ordinal()]++;
      target.ranges().forEach(range -> byRange[Integer.parseInt(range)]++);
    }

    public long total() {
      return byReach[0] + byReach[1] + byReach[2];
    }

    /** Those that are for one shard, however the documents are spread. */
    public long single() {
      return byReach[QueryTargeting.Reach.ONE.ordinal()];
    }

    /** Those that are for some values of the key. */
    public long several() {
      return byReach[QueryTargeting.Reach.SOME.ordinal()];
    }

    /** Those that every shard is asked for. */
    public long scattered() {
      return byReach[QueryTargeting.Reach.ALL.ordinal()];
    }

    public long[] byRange() {
      return byRange.clone();
    }
  }

  /**
   * @param table each of whose ranges is a shard, as {@link KeyRanges} makes it
   * @param context in which filters are parsed
   */
  public QueryDistribution(RoutingTable table, QueryContext context) {
    this.table = table;
    this.targeting = new QueryTargeting(table, context);
    this.reads = new Side(table.chunkCount());
    this.writes = new Side(table.chunkCount());
  }

  public void add(SampledQuery query) {
    samples.merge(query.kind(), 1L, Long::sum);
    QueryTargeting.Target target = targeting.of(query);
    if (!query.kind().isWrite()) {
      reads.add(target);
      return;
    }
    writes.add(target);
    if (target.reach() != QueryTargeting.Reach.ONE) {
      if (query.multi()) {
        multiWithoutKey++;
      } else {
        singleWithoutKey++;
      }
    }
  }

  /** Takes what an update has changed, in the form of the oplog's differences. */
  public void addDifference(RawDocument diff) {
    for (KeyPattern.Field field : table.key().fields()) {
      if (touches(diff, field.path(), 0)) {
        shardKeyUpdates++;
        return;
      }
    }
  }

  /** Whether a difference changes the value at a path, from one of its parts on. */
  private static boolean touches(RawDocument diff, FieldPath path, int part) {
    String name = path.name(part);
    for (ElementCursor each = diff.elements(); each.next(); ) {
      String key = each.name();
      RawValue value = each.value();
      boolean whole =
          (key.equals("u") || key.equals("i") || key.equals("d"))
              && value.isDocument()
              && value.asDocument().get(name) != null;
      if (whole) {
        return true;
      }
      if (key.equals("s" + name) && value.isDocument()) {
        return part + 1 == path.length() || touches(value.asDocument(), path, part + 1);
      }
    }
    return false;
  }

  public long samples(Kind kind) {
    return samples.getOrDefault(kind, 0L);
  }

  public Side reads() {
    return reads;
  }

  public Side writes() {
    return writes;
  }

  public long shardKeyUpdates() {
    return shardKeyUpdates;
  }

  /** Writes of one document that do not fix its shard key. */
  public long singleWithoutKey() {
    return singleWithoutKey;
  }

  /** Writes of many documents that do not fix one shard key. */
  public long multiWithoutKey() {
    return multiWithoutKey;
  }
}
