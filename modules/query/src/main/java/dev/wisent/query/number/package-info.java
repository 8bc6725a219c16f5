/** Arithmetic on BSON's numbers: sums and products across types, and functions of decimals. */
package dev.wisent.query.number;
