/**
 * The page on compatibility, docs/compatibility.md: what of MongoDB's language is there, asked from
 * the tables that the server itself works with.
 */
package dev.wisent.conformance.compatibility;
