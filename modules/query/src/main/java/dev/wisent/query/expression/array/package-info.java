/** Expressions about arrays, and about arrays as sets. */
package dev.wisent.query.expression.array;
