/** Actions of several steps that survive every crash: persist, act, persist. */
package dev.wisent.cluster.coordinator;
