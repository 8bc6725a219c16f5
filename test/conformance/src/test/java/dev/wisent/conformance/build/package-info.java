/**
 * Index builds on large collections, while others write: no client waits, and an interrupted build
 * leaves nothing.
 */
package dev.wisent.conformance.build;
