/**
 * Small files that are there completely or not at all, whenever a process is killed or power is
 * lost. No state.
 */
package dev.wisent.base.disk;
