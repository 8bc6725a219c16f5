/** Arithmetic, trigonometry, bits, and accumulators over the values of one document. */
package dev.wisent.query.expression.arithmetic;
