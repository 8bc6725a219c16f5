package dev.wisent.sharding;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawValue;
import dev.wisent.query.bounds.BoundsBuilder;
import dev.wisent.query.bounds.Interval;
import dev.wisent.query.bounds.Intervals;
import dev.wisent.query.bounds.KeyInterval;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.bounds.PredicateBounds;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.key.HashedValue;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.PlainValues;
import dev.wisent.query.match.ComparisonMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What a conjunction says about the values of each field of a shard key. Documents of a sharded
 * collection have no arrays in their shard keys, which makes bounds tight.
 */
final class KeyBox {
  /** With more combinations of points than this, a field more is not worth its lookups. */
  private static final int COMBINATIONS_MAX = 4096;

  private static final byte[] NO_PREFIX = {};

  private final List<KeyPart> parts;
  private final List<List<Interval>> fields;

  private KeyBox(List<KeyPart> parts, List<List<Interval>> fields) {
    this.parts = parts;
    this.fields = fields;
  }

  /** All keys. */
  static KeyBox all(ShardKeyPattern key) {
    var parts = new ArrayList<KeyPart>();
    var fields = new ArrayList<List<Interval>>();
    for (KeyPattern.Field field : key.fields()) {
      boolean hash = field.kind() == KeyPattern.FieldKind.HASH;
      parts.add(
          new KeyPart(
              field.path().dotted(),
              field.path(),
              hash ? KeyPart.Kind.HASH : KeyPart.Kind.VALUE,
              false,
              0,
              false,
              null));
      fields.add(List.of(Interval.ALL));
    }
    return new KeyBox(parts, fields);
  }

  /** The keys that a condition leaves; conditions that say nothing about keys leave all. */
  KeyBox with(MatchExpression condition) {
    List<List<Interval>> narrowed = null;
    for (int i = 0; i < parts.size(); i++) {
      PredicateBounds bounds = bounds(condition, parts.get(i));
      if (bounds != null) {
        narrowed = narrowed == null ? new ArrayList<>(fields) : narrowed;
        narrowed.set(i, Intervals.intersection(narrowed.get(i), bounds.intervals()));
      }
    }
    return narrowed == null ? this : new KeyBox(parts, narrowed);
  }

  private static PredicateBounds bounds(MatchExpression condition, KeyPart part) {
    FieldPath path = BoundsBuilder.pathOf(condition);
    if (path == null) {
      return null;
    }
    MatchExpression onPart = path.equals(part.path()) ? condition : implied(condition, part.path());
    if (onPart == null) {
      return null;
    }
    return part.kind() == KeyPart.Kind.HASH
        ? BoundsBuilder.ofHash(onPart, part, KeyBox::hashes)
        : BoundsBuilder.of(onPart, part);
  }

  /** Equality with a document fixes the fields in it. Null where nothing follows. */
  private static MatchExpression implied(MatchExpression condition, FieldPath path) {
    boolean fixesParent =
        condition instanceof ComparisonMatch comparison
            && comparison.isEquality()
            && comparison.operand().isDocument()
            && comparison.path().isPrefixOf(path);
    if (!fixesParent) {
      return null;
    }
    var parent = (ComparisonMatch) condition;
    FieldPath below = FieldPath.of(path.dotted().substring(parent.path().dotted().length() + 1));
    RawValue value = PlainValues.valueOrArray(parent.operand().asDocument(), below);
    if (value == null) {
      value = RawValue.NULL;
    } else if (value.isArray() || value.type() == ElementType.UNDEFINED) {
      return null;
    }
    return ComparisonMatch.of(
        ComparisonMatch.Comparison.EQ,
        path,
        value,
        Collation.affects(value.type()) ? parent.collation() : null,
        parent.meter());
  }

  private static List<RawValue> hashes(RawValue value) {
    return HashedValue.ofEqual(value).stream().map(RawValue::ofInt64).toList();
  }

  /** The encoded key, if there is only one; else null. */
  byte[] onlyKey() {
    var encoder = new IndexKeyV1.Encoder();
    for (List<Interval> intervals : fields) {
      if (intervals.size() != 1 || !intervals.getFirst().isPoint()) {
        return null;
      }
      encoder.append(intervals.getFirst().low(), false);
    }
    return encoder.toByteArray();
  }

  /** Whether some values of the first field are excluded. */
  boolean isBounded() {
    return isEmpty() || !fields.getFirst().getFirst().isAll();
  }

  private boolean isEmpty() {
    return fields.stream().anyMatch(List::isEmpty);
  }

  /**
   * The shards of all keys. Behind the first field with more than points no field counts.
   *
   * @param time at which they may have had them
   */
  BitSet shards(RoutingTable table, long time) {
    var found = new BitSet();
    if (isEmpty()) {
      return found;
    }
    List<byte[]> prefixes = List.of(NO_PREFIX);
    int field = 0;
    while (field < fields.size() && canExtend(prefixes, fields.get(field))) {
      prefixes = extended(prefixes, fields.get(field++));
    }
    List<Interval> last = field < fields.size() ? fields.get(field) : List.of(Interval.ALL);
    boolean bounded = !last.getFirst().isAll() && isFew(prefixes, last);
    List<KeyInterval> intervals =
        last.stream().map(interval -> KeyInterval.of(interval, false)).toList();
    int all = time == RoutingTable.NEWEST ? table.shardCount() : Integer.MAX_VALUE;
    for (byte[] prefix : prefixes) {
      if (!bounded) {
        byte[] end = prefix.length == 0 ? null : IndexKeyV1.successor(prefix, prefix.length);
        table.addShardsBetween(joined(prefix, lowest(fields.size() - field)), end, time, found);
      } else {
        byte[] rest = lowest(fields.size() - field - 1);
        for (int i = 0; i < intervals.size(); i++) {
          KeyInterval interval = intervals.get(i);
          byte[] low = joined(prefix, interval.lower());
          table.addShardsBetween(
              last.get(i).lowInclusive() ? joined(low, rest) : low,
              joined(prefix, interval.upper()),
              time,
              found);
        }
      }
      if (found.cardinality() == all) {
        break;
      }
    }
    return found;
  }

  /** The least values of the fields behind: a chunk that begins with them is not the one before. */
  private static byte[] lowest(int count) {
    var encoder = new IndexKeyV1.Encoder();
    for (int i = 0; i < count; i++) {
      encoder.append(RawValue.MIN_KEY, false);
    }
    return encoder.toByteArray();
  }

  private static boolean canExtend(List<byte[]> prefixes, List<Interval> intervals) {
    return isFew(prefixes, intervals) && intervals.stream().allMatch(Interval::isPoint);
  }

  /** Each value of the first field is looked up, however many there are. */
  private static boolean isFew(List<byte[]> prefixes, List<Interval> intervals) {
    return prefixes.size() == 1 || (long) prefixes.size() * intervals.size() <= COMBINATIONS_MAX;
  }

  private static List<byte[]> extended(List<byte[]> prefixes, List<Interval> points) {
    var extended = new ArrayList<byte[]>(prefixes.size() * points.size());
    for (byte[] prefix : prefixes) {
      for (Interval point : points) {
        extended.add(joined(prefix, KeyInterval.of(point, false).first()));
      }
    }
    return extended;
  }

  private static byte[] joined(byte[] prefix, byte[] field) {
    byte[] joined = Arrays.copyOf(prefix, prefix.length + field.length);
    System.arraycopy(field, 0, joined, prefix.length, field.length);
    return joined;
  }
}
