package dev.wisent.tools.command;

import dev.wisent.base.Clock;
import dev.wisent.base.Scheduler;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * What a tool knows of the process that it runs in.
 *
 * @param terminal whether standard error is one, so that a line may be written over
 * @param columns how wide it is
 * @param password asks for one; null where there is no terminal to ask on
 * @param version of these tools, which dumps carry
 */
public record Surroundings(
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    int columns,
    Clock clock,
    Scheduler scheduler,
    Interruption interruption,
    Supplier<char[]> password,
    String version) {}
