/**
 * Aggregation expressions: parsed once into a tree of {@link
 * dev.wisent.query.expression.Expression}, evaluated on the raw bytes of many documents.
 *
 * <p>{@link dev.wisent.query.expression.ExpressionParser} reads them; which there are stands in the
 * tables of the families, one sub-package each, which {@link
 * dev.wisent.query.expression.ExpressionTable} puts together. Most are plain functions of their
 * arguments' values and have a method in their family and a row in its table; those that bind
 * variables, evaluate only some of their arguments or prepare something are classes.
 *
 * <p>Values are {@link dev.wisent.bson.RawValue}s, mostly slices of the document they come from,
 * and valid as long as that. A null reference is a missing value. Variables are slots of a {@link
 * dev.wisent.query.expression.Frame}, numbered when they are parsed.
 *
 * <p>Expressions are immutable once optimized and may be shared between threads; a frame belongs to
 * one. No clocks, no randomness and no IO: what evaluation needs of the world comes in {@link
 * dev.wisent.query.context.QueryContext}.
 */
package dev.wisent.query.expression;
