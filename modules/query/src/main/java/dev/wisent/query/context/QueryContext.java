package dev.wisent.query.context;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.script.ScriptCompiler;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What a query may need to know of the world, so that the language itself stays a pure function.
 *
 * @param nowMillis the wall clock, in milliseconds since the epoch; a {@link FixedClock} where it
 *     is that of an operation
 * @param random numbers from 0 (inclusive) to 1 (exclusive), for {@code $sampleRate}
 * @param let the command's variables; empty where it has none
 * @param clusterTime the cluster's time, as timestamps have it; null where there is no cluster
 * @param collation how strings compare; null for the simple one
 * @param scripts compiles functions in JavaScript
 * @param nesting in which pipelines it is
 * @param meter counts work, and ends the query where it has to
 */
public record QueryContext(
    LongSupplier nowMillis,
    DoubleSupplier random,
    RawDocument let,
    LongSupplier clusterTime,
    Collation collation,
    ScriptCompiler scripts,
    Nesting nesting,
    WorkMeter meter) {
  /** In no other pipeline, and with nothing that interrupts it. */
  public QueryContext(
      LongSupplier nowMillis,
      DoubleSupplier random,
      RawDocument let,
      LongSupplier clusterTime,
      Collation collation,
      ScriptCompiler scripts) {
    this(
        nowMillis,
        random,
        let,
        clusterTime,
        collation,
        scripts,
        Nesting.NONE,
        WorkMeter.unchecked());
  }

  public static QueryContext of(LongSupplier nowMillis, DoubleSupplier random) {
    return new QueryContext(nowMillis, random, RawDocument.EMPTY, null, null, ScriptCompiler.NONE);
  }

  /** The same at a time that stands still. */
  public QueryContext at(FixedClock time) {
    return new QueryContext(time, random, let, clusterTime, collation, scripts, nesting, meter);
  }

  /** The same with another collation; null for the simple one. */
  public QueryContext withCollation(Collation other) {
    return other == collation
        ? this
        : new QueryContext(nowMillis, random, let, clusterTime, other, scripts, nesting, meter);
  }

  /** The same with functions in JavaScript. */
  public QueryContext withScripts(ScriptCompiler compiler) {
    return new QueryContext(
        nowMillis, random, let, clusterTime, collation, compiler, nesting, meter);
  }

  /** The same with variables. */
  public QueryContext withLet(RawDocument variables) {
    return new QueryContext(
        nowMillis, random, variables, clusterTime, collation, scripts, nesting, meter);
  }

  /** The same for an operation that can be interrupted. */
  public QueryContext withMeter(WorkMeter counting) {
    return new QueryContext(
        nowMillis, random, let, clusterTime, collation, scripts, nesting, counting);
  }

  /** For a pipeline inside the one that this is for. */
  public QueryContext deeper() {
    return nested(nesting.deeper());
  }

  /** The same with variables whose values are not known. */
  public QueryContext declaring(List<String> variables) {
    return nested(nesting.declaring(variables));
  }

  /** The same for the pipeline of an update. */
  public QueryContext inUpdate() {
    return nested(new Nesting(nesting.depth(), nesting.variables(), true, nesting.ofRouter()));
  }

  /** The same for a pipeline that a router has split and sent. */
  public QueryContext ofRouter() {
    return nested(new Nesting(nesting.depth(), nesting.variables(), nesting.inUpdate(), true));
  }

  private QueryContext nested(Nesting place) {
    return new QueryContext(nowMillis, random, let, clusterTime, collation, scripts, place, meter);
  }
}
