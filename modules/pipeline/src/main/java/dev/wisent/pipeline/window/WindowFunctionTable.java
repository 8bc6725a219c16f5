package dev.wisent.pipeline.window;

import dev.wisent.pipeline.window.RankFunction.Kind;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of window functions. */
public final class WindowFunctionTable {
  public static final List<WindowFunctionRow> ROWS =
      List.of(
          AccumulatedFunction.unary("$sum", "5.0", collation -> new SumState(false)),
          AccumulatedFunction.unary("$avg", "5.0", collation -> new SumState(true)),
          new WindowFunctionRow("$count", "5.0", AccumulatedFunction::parseCount),
          AccumulatedFunction.unary("$min", "5.0", collation -> new ExtremeState(-1, collation)),
          AccumulatedFunction.unary("$max", "5.0", collation -> new ExtremeState(1, collation)),
          AccumulatedFunction.unary("$stdDevPop", "5.0", collation -> new DeviationState(false)),
          AccumulatedFunction.unary("$stdDevSamp", "5.0", collation -> new DeviationState(true)),
          AccumulatedFunction.unary("$push", "5.0", collation -> ListState.push()),
          AccumulatedFunction.unary("$addToSet", "5.0", SetState::new),
          AccumulatedFunction.named("$firstN", "5.2", MovingFunctions::some),
          AccumulatedFunction.named("$lastN", "5.2", MovingFunctions::some),
          AccumulatedFunction.named("$minN", "5.2", MovingFunctions::some),
          AccumulatedFunction.named("$maxN", "5.2", MovingFunctions::some),
          AccumulatedFunction.named("$top", "5.2", MovingFunctions::top),
          AccumulatedFunction.named("$topN", "5.2", MovingFunctions::top),
          AccumulatedFunction.named("$bottom", "5.2", MovingFunctions::top),
          AccumulatedFunction.named("$bottomN", "5.2", MovingFunctions::top),
          AccumulatedFunction.named("$median", "7.0", MovingFunctions::percentile),
          AccumulatedFunction.named("$percentile", "7.0", MovingFunctions::percentile),
          EndFunction.row("$first", false),
          EndFunction.row("$last", true),
          new WindowFunctionRow("$shift", "5.0", EndFunction::parseShift),
          RankFunction.row("$rank", Kind.RANK),
          RankFunction.row("$denseRank", Kind.DENSE),
          RankFunction.row("$documentNumber", Kind.NUMBER),
          new WindowFunctionRow("$locf", "5.2", LocfFunction::parse),
          new WindowFunctionRow("$linearFill", "5.3", LinearFillFunction::parse),
          new WindowFunctionRow("$expMovingAvg", "5.0", ExpMovingAvgFunction::parse),
          new WindowFunctionRow("$derivative", "5.0", DerivativeFunction::parse),
          new WindowFunctionRow("$integral", "5.0", MeasuredFunction::parseIntegral),
          MeasuredFunction.covarianceRow("$covariancePop", false),
          MeasuredFunction.covarianceRow("$covarianceSamp", true));

  private static final Map<String, WindowFunctionRow> BY_NAME =
      ROWS.stream()
          .collect(Collectors.toUnmodifiableMap(WindowFunctionRow::name, Function.identity()));

  private WindowFunctionTable() {}

  static boolean isKnown(String name) {
    return BY_NAME.containsKey(name);
  }

  /** Reads the function of an output field. */
  static WindowFunction parse(FunctionSpec spec) {
    return BY_NAME.get(spec.name()).parser().apply(spec);
  }
}
