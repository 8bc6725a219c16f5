package dev.wisent.pipeline.window;

import java.util.function.Function;

/**
 * One row of the table of window functions.
 *
 * @param since the first MongoDB release that had it
 */
public record WindowFunctionRow(
    String name, String since, Function<FunctionSpec, WindowFunction> parser) {}
