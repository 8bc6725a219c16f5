/** Expressions about values of any kind: sizes, timestamps, hashes, random numbers, metadata. */
package dev.wisent.query.expression.value;
