/** Tests of the parts of {@code wisent dump}. */
package dev.wisent.tools.dump;
