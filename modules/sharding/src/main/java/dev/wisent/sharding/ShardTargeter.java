package dev.wisent.sharding;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.AlwaysMatch;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchNormalForm;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.OrMatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/** Finds the shards that documents and filters are for. */
public final class ShardTargeter {
  private final RoutingTable table;
  private final long time;

  public ShardTargeter(RoutingTable table) {
    this(table, RoutingTable.NEWEST);
  }

  /**
   * @param time a cluster time for the shards that may have had documents then; not before that of
   *     the collection
   */
  public ShardTargeter(RoutingTable table, long time) {
    this.table = table;
    this.time = table.isSameSince(time) ? RoutingTable.NEWEST : time;
  }

  /** The shard that a document belongs on. Fails where its shard key has an array. */
  public String ofDocument(RawDocument document) {
    return table.shardOf(table.key().encodedKeyOf(document));
  }

  /** The shards of a filter that is not parsed yet. */
  public ShardTargets ofFilter(RawDocument filter, QueryContext context) {
    byte[] key = table.key().encodedKeyOfEquality(filter, context.collation());
    return key == null ? ofFilter(MatchParser.parse(filter, context)) : ofKey(key);
  }

  public ShardTargets ofFilter(MatchExpression filter) {
    MatchExpression normal = MatchNormalForm.of(filter);
    KeyBox box = conjunction(KeyBox.all(table.key()), normal, new ArrayList<>());
    byte[] key = box.onlyKey();
    if (key != null) {
      return ofKey(key);
    }
    Set<String> shards = table.names(shards(normal, KeyBox.all(table.key())));
    // Where nothing can match, one shard gives the empty answer.
    return new ShardTargets(shards.isEmpty() ? Set.of(anyShard()) : shards, null);
  }

  /**
   * Whether a filter says something of the first field of shard keys. One that does not is for all
   * shards, whatever keys they have.
   */
  public boolean isBounded(MatchExpression filter) {
    MatchExpression normal = MatchNormalForm.of(filter);
    return normal == AlwaysMatch.FALSE || isBoundedPart(normal);
  }

  private boolean isBoundedPart(MatchExpression filter) {
    var disjunctions = new ArrayList<OrMatch>();
    KeyBox box = conjunction(KeyBox.all(table.key()), filter, disjunctions);
    return box.isBounded()
        || disjunctions.stream()
            .anyMatch(or -> or.children().stream().allMatch(this::isBoundedPart));
  }

  private ShardTargets ofKey(byte[] key) {
    return time == RoutingTable.NEWEST
        ? new ShardTargets(Set.of(table.shardOf(key)), key)
        : new ShardTargets(table.shardsOf(key, time), key);
  }

  private String anyShard() {
    return table.shardOf(new byte[0]);
  }

  /**
   * The shards of a part of a filter.
   *
   * @param around the keys that the conditions around it leave
   */
  private BitSet shards(MatchExpression filter, KeyBox around) {
    if (filter == AlwaysMatch.FALSE) {
      return new BitSet();
    }
    var disjunctions = new ArrayList<OrMatch>();
    KeyBox box = conjunction(around, filter, disjunctions);
    BitSet found = box.shards(table, time);
    for (OrMatch disjunction : disjunctions) {
      if (found.cardinality() <= 1) {
        break;
      }
      var any = new BitSet();
      for (MatchExpression branch : disjunction.children()) {
        any.or(shards(branch, box));
      }
      found.and(any);
    }
    return found;
  }

  /** What all members of a conjunction say together, apart from its disjunctions. */
  private static KeyBox conjunction(
      KeyBox around, MatchExpression filter, List<OrMatch> disjunctions) {
    return switch (filter) {
      case AndMatch and -> {
        KeyBox box = around;
        for (MatchExpression child : and.children()) {
          box = conjunction(box, child, disjunctions);
        }
        yield box;
      }
      case OrMatch or -> {
        disjunctions.add(or);
        yield around;
      }
      default -> around.with(filter);
    };
  }
}
