/**
 * Backups of servers inside the JVM of the tests. Threading: everything is of the test's thread.
 */
package dev.wisent.tools.backup;
