package dev.wisent.server.command.collection;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.diagnostic.Diagnostics;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.NamespaceArgument;
import java.util.List;

/**
 * {@code validate}: the full check of records, indexes and counters, or, with {@code metadata},
 * only of the definitions of indexes.
 */
public final class ValidateCommand implements Command {
  private final Diagnostics diagnostics;

  public ValidateCommand(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Namespace namespace = NamespaceArgument.of(request);
    ValidateOptions options = ValidateOptions.parse(request);
    ValidationReport report =
        diagnostics.validate(context.operation(), namespace, options.metadata());
    append(namespace, report, reply);
  }

  private static void append(Namespace namespace, ValidationReport report, BsonBuilder reply) {
    reply.appendString("ns", namespace.full());
    reply.appendInt64("nInvalidDocuments", report.invalidDocuments());
    reply.appendInt64("nNonCompliantDocuments", 0);
    reply.appendInt64("nrecords", report.records());
    reply.appendInt32("nIndexes", report.indexErrors().size());
    reply.startDocument("keysPerIndex");
    report.keysPerIndex().forEach(reply::appendInt64);
    reply.end();
    reply.startDocument("indexDetails");
    report
        .indexErrors()
        .forEach(
            (name, errors) -> {
              reply.startDocument(name);
              reply.appendBoolean("valid", errors.isEmpty());
              if (!errors.isEmpty()) {
                append(reply, "errors", errors);
              }
              reply.end();
            });
    reply.end();
    reply.appendBoolean("valid", report.isValid());
    reply.appendBoolean("repaired", false);
    append(reply, "warnings", List.of());
    append(reply, "errors", report.errors());
    append(reply, "extraIndexEntries", List.of());
    append(reply, "missingIndexEntries", List.of());
    append(reply, "corruptRecords", List.of());
    if (!report.isValid()) {
      reply.appendString(
          "advice",
          "A corrupt namespace has been detected: restore it from a backup, or resync this member");
    }
  }

  private static void append(BsonBuilder reply, String name, List<String> lines) {
    reply.startArray(name);
    for (int i = 0; i < lines.size(); i++) {
      reply.appendString(Integer.toString(i), lines.get(i));
    }
    reply.end();
  }
}
