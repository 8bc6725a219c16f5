package dev.wisent.sharding.advice;

import dev.wisent.base.CommandException;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.sharding.RoutingTable;
import dev.wisent.sharding.ShardTargeter;
import dev.wisent.sharding.ShardTargets;
import java.util.Set;

/** Which ranges of a shard key queries are for. */
final class QueryTargeting {
  private final RoutingTable table;
  private final ShardTargeter targeter;
  private final QueryContext context;

  /** How much of the shard key a query fixes. */
  enum Reach {
    /** All of it: the query is for one shard, however the documents are spread. */
    ONE,
    /** Some of its values: for one shard or for several. */
    SOME,
    /** Nothing: for all shards. */
    ALL
  }

  /**
   * What a query is for.
   *
   * @param ranges the shards of the table
   */
  record Target(Reach reach, Set<String> ranges) {}

  /**
   * @param context in which filters are parsed
   */
  QueryTargeting(RoutingTable table, QueryContext context) {
    this.table = table;
    this.targeter = new ShardTargeter(table);
    this.context = context;
  }

  Target of(SampledQuery query) {
    try {
      Collation collation = query.collation().isEmpty() ? null : Collation.parse(query.collation());
      QueryContext own = context.withCollation(collation).withLet(query.let());
      MatchExpression filter = MatchParser.parse(query.filter(), own);
      ShardTargets targets = targeter.ofFilter(filter);
      if (targets.isExact()) {
        return new Target(Reach.ONE, targets.shards());
      }
      return targeter.isBounded(filter)
          ? new Target(Reach.SOME, targets.shards())
          : new Target(Reach.ALL, table.shards());
    } catch (CommandException notUnderstood) {
      // A sample of another version: a router that does not understand it asks all shards.
      return new Target(Reach.ALL, table.shards());
    }
  }
}
