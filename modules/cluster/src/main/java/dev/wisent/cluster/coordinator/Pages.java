package dev.wisent.cluster.coordinator;

/**
 * How a phase goes through many documents: so many at a time, each page a change of its own. A
 * phase that is killed between two pages begins anew and finds the first ones done.
 *
 * @param documents how many in a page
 * @param end to be run after each page: fails where the run has to stop there
 */
public record Pages(int documents, Runnable end) {}
