/** Expressions about strings, and regular expressions. */
package dev.wisent.query.expression.string;
