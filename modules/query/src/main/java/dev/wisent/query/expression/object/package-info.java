/** Expressions about documents and their fields. */
package dev.wisent.query.expression.object;
