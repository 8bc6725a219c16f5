/**
 * JavaScript clients: mongosh and the Node.js driver, each with a script that has its own
 * assertions ({@code src/test/resources/node}); and the npm package for tests, with what
 * docs/testing.md shows of it.
 *
 * <p>The packages come from npm, once, into a cache in the user's home; without Node.js or a
 * registry the tests are skipped (see {@link dev.wisent.testkit.NodePackages}).
 *
 * <p>Threading: one script at a time, as a process of its own.
 */
package dev.wisent.conformance.node;
