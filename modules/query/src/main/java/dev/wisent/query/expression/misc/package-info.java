/** Sizes, timestamps, random numbers, and what is refused. */
package dev.wisent.query.expression.misc;
