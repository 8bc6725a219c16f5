package dev.wisent.pipeline.accumulator;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.arithmetic.PercentileArguments;
import dev.wisent.query.number.TDigest;

/** {@code $percentile} and {@code $median}, from a t-digest. */
public record PercentileAccumulator(String name, PercentileArguments arguments)
    implements Accumulator {
  private static final String PERCENTILE = "$percentile";
  private static final String MEDIAN = "$median";

  static Accumulator parsePercentile(ExpressionParser parser, RawValue argument) {
    return of(
        PERCENTILE,
        PercentileArguments.parsePercentile(
            parser, argument, ErrorCode.PERCENTILE_ACCUMULATOR_NOT_OBJECT));
  }

  static Accumulator parseMedian(ExpressionParser parser, RawValue argument) {
    return of(
        MEDIAN,
        PercentileArguments.parseMedian(parser, argument, ErrorCode.MEDIAN_ACCUMULATOR_NOT_OBJECT));
  }

  private static Accumulator of(String name, PercentileArguments arguments) {
    var optimized = new PercentileArguments(arguments.input().optimize(), arguments.percentiles());
    return new PercentileAccumulator(name, optimized);
  }

  @Override
  public Expression input() {
    return arguments.input();
  }

  @Override
  public AccumulatorStates begin() {
    return new Digests(arguments, name.equals(MEDIAN));
  }

  @Override
  public void explain(BsonBuilder out) {
    arguments.explain(name, out);
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    arguments.input().addDependencies(dependencies);
  }

  private static final class Digests extends ValueStates {
    private final StateList<TDigest> digests = new StateList<>();
    private final double[] percentiles;
    private final boolean median;
    private long bytes;

    Digests(PercentileArguments arguments, boolean median) {
      super(arguments.input());
      this.percentiles = arguments.percentiles();
      this.median = median;
    }

    @Override
    public void start(int group, RawDocument id) {
      TDigest before = digests.find(group);
      var digest = new TDigest();
      bytes += digest.bytes() - (before == null ? 0 : before.bytes());
      digests.set(group, digest);
    }

    @Override
    public void add(int group, byte type, byte[] from, int offset, int length) {
      if (ElementType.isNumber(type)) {
        TDigest digest = digests.get(group);
        long before = digest.bytes();
        digest.add(new RawValue(type, from, offset, length).toDouble());
        bytes += digest.bytes() - before;
      }
    }

    @Override
    public RawValue result(int group) {
      TDigest digest = digests.get(group);
      if (median) {
        return digest.get(percentiles[0]);
      }
      var array = new ArrayBuilder();
      for (double p : percentiles) {
        array.add(digest.get(p));
      }
      return array.build();
    }

    @Override
    public long bytes() {
      return bytes + digests.bytes();
    }

    @Override
    public RawValue partial(int group) {
      return digests.get(group).partial();
    }

    @Override
    public void merge(int group, RawValue partial) {
      TDigest digest = digests.get(group);
      long before = digest.bytes();
      digest.merge(partial);
      bytes += digest.bytes() - before;
    }
  }
}
