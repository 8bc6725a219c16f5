package dev.wisent.database.plan;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.ExactId;
import dev.wisent.query.sort.SortPattern;

/**
 * What a plan is made for.
 *
 * @param filter which documents; empty for all
 * @param sort in which order; empty for any
 * @param hint null, an index name, a key pattern or {@code {$natural: ±1}}
 * @param min inclusive lower bound by the hinted index, or null
 * @param max exclusive upper bound by the hinted index, or null
 * @param sortLimit how many documents of a sort are needed; 0 for all
 * @param tailable whether the reading goes on when there is more at the end
 */
public record Query(
    RawDocument filter,
    RawDocument sort,
    RawValue hint,
    RawDocument min,
    RawDocument max,
    long sortLimit,
    boolean tailable) {

  /** A query without limit, min or max. */
  public static Query of(RawDocument filter, RawDocument sort, RawValue hint) {
    return new Query(filter, sort, hint, null, null, 0, false);
  }

  /** The {@code _id} of a query by that alone; null for every other. */
  RawValue exactId() {
    return hint == null && min == null && max == null && !tailable ? ExactId.of(filter) : null;
  }

  /** The sort, checked; null for none and for the natural order. */
  public SortPattern sortPattern() {
    if (sort.isEmpty()) {
      return null;
    }
    RawValue natural = sort.get(Planner.NATURAL);
    if (natural == null) {
      return SortPattern.parse(sort);
    }
    if (!natural.isNumber() || Math.abs(natural.toDouble()) != 1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "$natural sort cannot be set to a value other than -1 or 1.");
    }
    return null;
  }
}
