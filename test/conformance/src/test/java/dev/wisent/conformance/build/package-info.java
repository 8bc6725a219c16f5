/**
 * Index builds on large collections, while others write: nobody waits, and an interrupted build
 * leaves nothing.
 */
package dev.wisent.conformance.build;
