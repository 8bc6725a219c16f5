/**
 * What the query language needs from outside: {@link dev.wisent.query.context.QueryContext} holds
 * the time, random numbers, variables, the collation and the script compiler of one operation. The
 * parsers and evaluators of all other packages may use it. Contexts are immutable.
 */
package dev.wisent.query.context;
