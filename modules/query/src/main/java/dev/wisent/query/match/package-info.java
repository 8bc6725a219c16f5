/**
 * Filters: parsed once into a tree of {@link dev.wisent.query.match.MatchExpression}, run on the
 * raw bytes of many documents.
 *
 * <p>{@link dev.wisent.query.match.MatchParser} reads a filter document; which operators there are
 * stands in one table, {@link dev.wisent.query.match.MatchOperators}. The tree is made of records
 * and small classes that a planner can take apart: path, operator, operand. Some operators have no
 * node of their own, as in MongoDB: {@code $ne}, {@code $nin} and {@code $exists: false} are
 * negations, {@code $all} is a conjunction, {@code $comment} is dropped.
 *
 * <p>{@link dev.wisent.query.match.ExactId} finds the filters that name one document without
 * parsing them; {@link dev.wisent.query.match.EqualityFields} finds what an upsert takes over from
 * its filter.
 *
 * <p>Expressions are immutable and may be shared between threads; {@link
 * dev.wisent.query.match.MatchDetails} belongs to one thread. No clocks, no randomness and no IO:
 * what evaluation needs of the world comes in {@link dev.wisent.query.context.QueryContext}.
 */
package dev.wisent.query.match;
