/** Comparisons, boolean and conditional expressions, literals and {@code $let}. */
package dev.wisent.query.expression.logic;
