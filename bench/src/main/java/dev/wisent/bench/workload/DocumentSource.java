package dev.wisent.bench.workload;

import dev.wisent.bench.data.BenchDocument;

/** Makes the numbered documents of a collection; the same ones for every target. */
interface DocumentSource {
  BenchDocument document(Subject subject, long number);
}
