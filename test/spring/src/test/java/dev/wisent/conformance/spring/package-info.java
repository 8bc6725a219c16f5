/**
 * A program with Spring Data MongoDB as users write them: repositories, {@code @Transactional}
 * services and a reactive listener of a change stream, on a replica set of three members.
 */
package dev.wisent.conformance.spring;
