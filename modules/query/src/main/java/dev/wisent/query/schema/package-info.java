/**
 * {@code $jsonSchema}: draft 4 of JSON Schema as MongoDB supports it.
 *
 * <p>{@link dev.wisent.query.schema.SchemaParser} reads a schema into a {@link
 * dev.wisent.query.schema.JsonSchema}, a list of rules; which keyword makes which rule stands in
 * one table, {@link dev.wisent.query.schema.SchemaKeywords}, in the order in which MongoDB reports
 * broken rules. A rule decides on the bytes of a value, and explains afterwards what was wrong with
 * it; {@link dev.wisent.query.schema.ErrorDetail} builds the documents of such explanations.
 *
 * <p>Everything is immutable and may be shared between threads, except {@code ErrorDetail}.
 */
package dev.wisent.query.schema;
