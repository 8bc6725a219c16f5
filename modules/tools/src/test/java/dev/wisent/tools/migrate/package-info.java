/** Tests of the parts of {@code wisent migrate}. */
package dev.wisent.tools.migrate;
