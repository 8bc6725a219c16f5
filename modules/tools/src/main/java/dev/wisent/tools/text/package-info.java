/**
 * Documents as text: JSON, and rows of values.
 *
 * <p>{@link dev.wisent.tools.text.JsonDocuments} cuts a stream of JSON into documents, {@link
 * dev.wisent.tools.text.Rows} one of CSV or TSV into rows, {@link dev.wisent.tools.text.ColumnType}
 * makes values of texts and {@link dev.wisent.tools.text.RowText} texts of values.
 *
 * <p>Threading: streams belong to one thread; the rest is immutable.
 */
package dev.wisent.tools.text;
