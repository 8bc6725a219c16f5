/** Expressions about dates, with time zones, on java.time. */
package dev.wisent.query.expression.date;
