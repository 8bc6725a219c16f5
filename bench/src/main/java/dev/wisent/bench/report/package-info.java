/**
 * From measurements to a page: {@link dev.wisent.bench.report.Report} holds the outcome of a run,
 * {@link dev.wisent.bench.report.MarkdownReport} and {@link dev.wisent.bench.report.JsonReport}
 * write it. Pure functions on immutable values.
 */
package dev.wisent.bench.report;
