/** Expressions about types, and conversions between them. */
package dev.wisent.query.expression.convert;
