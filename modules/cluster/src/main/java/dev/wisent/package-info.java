/** Wisent as a library: {@link dev.wisent.Wisent} starts a server inside a JVM. */
package dev.wisent;
