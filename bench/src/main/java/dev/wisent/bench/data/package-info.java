/**
 * The documents that the workloads store: {@link dev.wisent.bench.data.DocumentGenerator} for the
 * document workloads, {@link dev.wisent.bench.data.YcsbRecords} for YCSB.
 *
 * <p>A document is a pure function of the seed and its number (or key), so every target gets the
 * same ones, whatever its speed. {@link dev.wisent.bench.data.BsonSink} and {@link
 * dev.wisent.bench.data.JsonSink} write it in the form that a target takes, so that no client pays
 * for the other's encoding.
 *
 * <p>Generators are immutable and may be shared by threads; sinks belong to one call.
 */
package dev.wisent.bench.data;
