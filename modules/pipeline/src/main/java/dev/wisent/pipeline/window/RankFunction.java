package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortKeyGenerator;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Values;
import java.util.Arrays;

/** {@code $rank}, {@code $denseRank} and {@code $documentNumber}. */
record RankFunction(String name, Kind kind, SortPattern sortBy) implements WindowFunction {
  /** What equal documents get, and the one after them. */
  enum Kind {
    /** The same, and the next one leaves a gap. */
    RANK,
    /** The same, and the next one follows. */
    DENSE,
    /** Each its own. */
    NUMBER
  }

  static WindowFunctionRow row(String name, Kind kind) {
    return new WindowFunctionRow(name, "5.0", spec -> parse(spec, kind));
  }

  private static WindowFunction parse(FunctionSpec spec, Kind kind) {
    if (spec.fields().fieldCount() != 1) {
      throw new CommandException(
          ErrorCode.RANK_OTHER_ARGUMENTS, "Rank style window functions take no other arguments");
    }
    RawValue argument = spec.fields().get(spec.name());
    if (!argument.isDocument() || !argument.asDocument().isEmpty()) {
      throw new CommandException(
          // MongoDB has not read the name yet when it says so.
          ErrorCode.RANK_ARGUMENT, "(None) must be specified with '{}' as the value");
    }
    if (spec.sortBy() == null || spec.sortBy().parts().size() != 1) {
      throw new CommandException(
          ErrorCode.RANK_SORT,
          spec.name()
              + " must be specified with a top level sortBy expression with exactly one element");
    }
    return new RankFunction(spec.name(), kind, spec.sortBy());
  }

  @Override
  public RunningFunction begin() {
    return kind == Kind.NUMBER ? new Number() : new Rank(new SortKeyGenerator(sortBy));
  }

  @Override
  public void explain(BsonBuilder out) {
    out.startDocument(name).end();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    // The sort has said what it needs.
  }

  private static final class Number extends RunningFunction {
    @Override
    void restart() {
      // Partitions count their documents.
    }

    @Override
    RawValue next(Partition partition) {
      return Values.intOrLong(partition.position() + 1);
    }
  }

  private final class Rank extends RunningFunction {
    private final SortKeyGenerator keys;
    private byte[] last;
    private long rank;
    private RawValue result;

    Rank(SortKeyGenerator keys) {
      this.keys = keys;
    }

    @Override
    void restart() {
      last = null;
      rank = 0;
    }

    @Override
    RawValue next(Partition partition) {
      byte[] key = keys.key(partition.frame(partition.position()).root());
      if (last == null || !Arrays.equals(key, last)) {
        last = key;
        rank = kind == Kind.RANK ? partition.position() + 1 : rank + 1;
        result = Values.intOrLong(rank);
      }
      return result;
    }
  }
}
