package dev.wisent.server.dispatch;

import dev.wisent.operation.Namespace;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.metrics.NamespaceTimes;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.metrics.ServerMetrics.OpCounter;
import dev.wisent.server.operation.RunningOperation;

/** Counts a finished command where serverStatus, top and {@code $collStats} look for it. */
final class CommandAccounting {
  private static final long NANOS_PER_MICRO = 1000;

  private final ServerMetrics metrics;

  CommandAccounting(ServerMetrics metrics) {
    this.metrics = metrics;
  }

  void ended(RunningOperation operation, long nanos) {
    String name = operation.spec().name();
    if (!name.equals("bulkWrite")) { // which counts each of its operations by kind
      metrics.count(counter(name), statements(name, operation.request()));
    }
    NamespaceTimes.Latency latency =
        switch (operation.spec().kind()) {
          case READ -> NamespaceTimes.Latency.READS;
          case WRITE -> NamespaceTimes.Latency.WRITES;
          case DEFINITION -> NamespaceTimes.Latency.COMMANDS;
          case ADMIN -> null;
        };
    boolean foreground =
        latency == NamespaceTimes.Latency.READS || latency == NamespaceTimes.Latency.WRITES;
    if (foreground && !name.equals("getMore")) { // which may wait for data
      metrics.foreground(nanos / NANOS_PER_MICRO);
    }
    if (latency != null && isCounted(operation.namespace())) {
      metrics.namespaces().add(operation.namespace(), kind(name), latency, nanos / NANOS_PER_MICRO);
    }
  }

  /** A namespace that was refused is nowhere to be found again; some are not even field names. */
  private static boolean isCounted(String namespaceText) {
    Namespace namespace = Namespace.parse(namespaceText);
    return namespace.collection().equals("$cmd")
        || Namespace.isValid(namespace.database(), namespace.collection());
  }

  private static OpCounter counter(String name) {
    return switch (name) {
      case "insert" -> OpCounter.INSERT;
      case "find" -> OpCounter.QUERY;
      case "update" -> OpCounter.UPDATE;
      case "delete" -> OpCounter.DELETE;
      case "getMore" -> OpCounter.GETMORE;
      default -> OpCounter.COMMAND;
    };
  }

  private static NamespaceTimes.Kind kind(String name) {
    return switch (name) {
      case "insert" -> NamespaceTimes.Kind.INSERT;
      case "find" -> NamespaceTimes.Kind.QUERIES;
      case "update" -> NamespaceTimes.Kind.UPDATE;
      case "delete" -> NamespaceTimes.Kind.REMOVE;
      case "getMore" -> NamespaceTimes.Kind.GETMORE;
      default -> NamespaceTimes.Kind.COMMANDS;
    };
  }

  /** A write command counts once for each of its statements. */
  private static long statements(String name, CommandRequest request) {
    String field =
        switch (name) {
          case "insert" -> "documents";
          case "update" -> "updates";
          case "delete" -> "deletes";
          default -> null;
        };
    if (field == null) {
      return 1;
    }
    var sequence = request.sequence(field);
    if (sequence != null) {
      return sequence.size();
    }
    var inBody = request.body().get(field);
    return inBody != null && inBody.isArray() ? inBody.asDocument().fieldCount() : 1;
  }
}
