/**
 * Queries are sampled for the choice of a shard key, and keys are analyzed with them. {@link
 * dev.wisent.server.analysis.SampledRunner} stands before the runner of a role and shows commands
 * to the {@link dev.wisent.server.analysis.QuerySampler}, which costs one read of a field while no
 * collection has an analyzer. Samples wait in a bounded buffer; a background loop writes them to
 * the database {@code config} through {@link dev.wisent.server.analysis.ConfigCalls}.
 *
 * <p>The sampler is for all threads; the classes of one analysis are for one.
 */
package dev.wisent.server.analysis;
