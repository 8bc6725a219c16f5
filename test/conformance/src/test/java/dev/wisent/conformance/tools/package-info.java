/**
 * The tools as processes of their own, beside servers under load: {@link
 * dev.wisent.conformance.tools.Transfers} is the load, which says afterwards whether a copy is a
 * state that was there.
 *
 * <p>Threading: the threads of the load end with it.
 */
package dev.wisent.conformance.tools;
