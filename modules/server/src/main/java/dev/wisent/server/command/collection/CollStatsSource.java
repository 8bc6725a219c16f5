package dev.wisent.server.command.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.CollectionFigures;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.server.HostNames;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.metrics.LatencyHistogram;
import dev.wisent.server.metrics.NamespaceTimes;
import dev.wisent.server.metrics.NamespaceTimes.Latency;

/** {@code $collStats}: the figures of a collection that are asked for; latencies also of views. */
public final class CollStatsSource {
  private final Diagnostics diagnostics;
  private final NamespaceTimes times;

  public CollStatsSource(Diagnostics diagnostics, NamespaceTimes times) {
    this.diagnostics = diagnostics;
    this.times = times;
  }

  /**
   * What is asked for.
   *
   * @param storage the scale of sizes; null for none
   * @param latencies whether with histograms; null for none
   */
  private record Parts(Long storage, Boolean latencies, boolean count, boolean queries) {
    static Parts of(RawDocument argument) {
      Long storage = null;
      Boolean latencies = null;
      boolean count = false;
      boolean queries = false;
      ArgumentReader parts = ArgumentReader.of("$collStats", argument);
      while (parts.next()) {
        switch (parts.name()) {
          case "storageStats" -> storage = scale(parts);
          case "latencyStats" -> latencies = histograms(parts);
          case "count" -> count = parts.document() != null;
          case "queryExecStats" -> queries = parts.document() != null;
          default -> parts.unknown();
        }
      }
      return new Parts(storage, latencies, count, queries);
    }

    private static long scale(ArgumentReader storageStats) {
      long scale = 1;
      ArgumentReader fields = ArgumentReader.of(storageStats.path(), storageStats.document());
      while (fields.next()) {
        switch (fields.name()) {
          case "scale" -> scale = ScaleArgument.check(fields);
          // Nothing takes long enough to be left out.
          case "verbose", "waitForLock" -> fields.bool();
          default -> fields.unknown();
        }
      }
      return scale;
    }

    private static boolean histograms(ArgumentReader latencyStats) {
      boolean histograms = false;
      ArgumentReader fields = ArgumentReader.of(latencyStats.path(), latencyStats.document());
      while (fields.next()) {
        switch (fields.name()) {
          case "histograms" -> histograms = fields.bool();
          default -> fields.unknown();
        }
      }
      return histograms;
    }
  }

  RawDocument document(Namespace namespace, RawDocument argument, OperationContext operation) {
    Parts parts = Parts.of(argument);
    var out = new BsonBuilder();
    out.appendString("ns", namespace.full());
    out.appendString("host", HostNames.local());
    out.appendDate("localTime", operation.clock().wallMillis());
    if (parts.latencies() != null) {
      appendLatencies(namespace, parts.latencies(), out);
    }
    if (parts.storage() == null && !parts.count() && !parts.queries()) {
      return out.toDocument();
    }
    // Read once for all parts: sizes on disk cost more than the rest. Views have none.
    CollectionFigures figures = diagnostics.figures(namespace);
    if (parts.storage() != null) {
      out.startDocument("storageStats");
      CollectionStatistics.append(figures, parts.storage(), out);
      out.end();
    }
    if (parts.count()) {
      require(figures, namespace, "count");
      out.appendInt64("count", figures.documents());
    }
    if (parts.queries()) {
      require(figures, namespace, "queryExecStats");
      out.startDocument("queryExecStats").startDocument("collectionScans");
      out.appendInt64("total", figures.scans());
      out.appendInt64("nonTailable", figures.scansNonTailable());
      out.end().end();
    }
    return out.toDocument();
  }

  private static void require(CollectionFigures figures, Namespace namespace, String part) {
    if (figures == null) {
      throw new CommandException(
          ErrorCode.NAMESPACE_NOT_FOUND,
          "Unable to retrieve "
              + part
              + " in $collStats stage :: caused by :: Collection ["
              + namespace.full()
              + "] not found.");
    }
  }

  private void appendLatencies(Namespace namespace, boolean histograms, BsonBuilder out) {
    NamespaceTimes.Times counted = times.of(namespace.full());
    out.startDocument("latencyStats");
    append("reads", counted.latencies(Latency.READS), histograms, out);
    append("writes", counted.latencies(Latency.WRITES), histograms, out);
    append("commands", counted.latencies(Latency.COMMANDS), histograms, out);
    // There are none.
    append("transactions", new LatencyHistogram(), histograms, out);
    out.end();
  }

  private static void append(
      String name, LatencyHistogram latencies, boolean histograms, BsonBuilder out) {
    out.startDocument(name);
    if (histograms) {
      out.startArray("histogram");
      latencies.forEachBucket(
          (index, from, count) ->
              out.startDocument(index)
                  .appendInt64("micros", from)
                  .appendInt64("count", count)
                  .end());
      out.end();
    }
    out.appendInt64("latency", latencies.micros());
    out.appendInt64("ops", latencies.operations());
    out.end();
  }
}
