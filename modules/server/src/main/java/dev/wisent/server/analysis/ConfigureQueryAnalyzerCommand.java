package dev.wisent.server.analysis;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.UUID;

/** Says whether the queries of a collection are sampled, and how often. */
final class ConfigureQueryAnalyzerCommand implements Command {
  private static final double PER_SECOND_MAX = 50;
  private static final String FULL = "full";
  private static final String OFF = "off";

  private final ConfigCalls config;
  private final AnalyzedCollections collections;
  private final QuerySampler sampler;
  private final Clock clock;

  ConfigureQueryAnalyzerCommand(
      ConfigCalls config, AnalyzedCollections collections, QuerySampler sampler, Clock clock) {
    this.config = config;
    this.collections = collections;
    this.sampler = sampler;
    this.clock = clock;
  }

  /**
   * @param perSecond null where it is not given
   */
  private record Settings(String mode, Double perSecond) {}

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    OperationContext operation = context.operation();
    Namespace namespace = AnalyzedNamespace.of(request);
    Settings settings = parse(request);
    if (request.writeConcern() != null) {
      throw invalid("Command configureQueryAnalyzer does not support writeConcern");
    }
    UUID uuid = AnalyzedNamespace.existing(collections, operation, namespace).uuid();
    RawDocument old = stored(operation, namespace, uuid);
    if (settings.mode().equals(FULL)) {
      createIndexes(operation);
      write(operation, start(namespace, uuid, settings.perSecond()));
    } else if (old != null) {
      write(operation, stop(namespace, uuid));
    }
    sampler.refresh(operation);
    sampler.flush(operation);
    if (old != null) {
      append(reply, "oldConfiguration", old.get("mode").asString(), old.get("samplesPerSecond"));
    }
    append(
        reply,
        "newConfiguration",
        settings.mode(),
        settings.perSecond() == null ? null : RawValue.ofDouble(settings.perSecond()));
  }

  private void write(OperationContext operation, RawDocument update) {
    RawValue errors = config.call(operation, update).get("writeErrors");
    if (errors != null) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "the analyzer cannot be stored: " + errors);
    }
  }

  private static void append(BsonBuilder reply, String name, String mode, RawValue perSecond) {
    reply.startDocument(name).appendString("mode", mode);
    if (perSecond != null) {
      reply.append("samplesPerSecond", perSecond);
    }
    reply.end();
  }

  private static Settings parse(CommandRequest request) {
    String mode = null;
    Double perSecond = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "mode" -> {
          mode = reader.string();
          if (!mode.equals(FULL) && !mode.equals(OFF)) {
            throw ArgumentTypes.notInEnumeration(reader.path(), mode);
          }
        }
        case "samplesPerSecond" -> perSecond = AnalyzedNamespace.number(reader);
        default -> reader.unknown();
      }
    }
    if (mode == null) {
      throw ArgumentTypes.missing(request.nameInErrors() + ".mode");
    }
    check(mode, perSecond);
    return new Settings(mode, perSecond);
  }

  private static void check(String mode, Double perSecond) {
    if (mode.equals(OFF)) {
      if (perSecond != null) {
        throw invalid("Cannot specify 'samplesPerSecond' when 'mode' is \"off\"");
      }
    } else if (perSecond == null) {
      throw invalid("'samplesPerSecond' must be specified when 'mode' is not \"off\"");
    } else if (!(perSecond > 0)) {
      throw invalid("'samplesPerSecond' must be greater than 0");
    } else if (perSecond > PER_SECOND_MAX) {
      throw invalid("'samplesPerSecond' must be less than or equal to " + (int) PER_SECOND_MAX);
    }
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }

  /** What this collection has, and not an earlier one of its name; null for nothing. */
  private RawDocument stored(OperationContext operation, Namespace namespace, UUID uuid) {
    var find = new BsonBuilder().appendString("find", "queryAnalyzers");
    find.startDocument("filter").appendString("_id", namespace.full());
    find.appendUuid("collUuid", uuid)
        .end()
        .appendInt32("limit", 1)
        .appendBoolean("singleBatch", true);
    RawDocument reply = config.call(operation, find.toDocument());
    ElementCursor found = reply.get("cursor").asDocument().get("firstBatch").elements();
    return found.next() ? found.value().asDocument() : null;
  }

  /** The start stays where the same collection is sampled already. */
  private RawDocument start(Namespace namespace, UUID uuid, double perSecond) {
    var update = new BsonBuilder().appendString("update", "queryAnalyzers");
    update.startArray("updates").startDocument(0);
    update.startDocument("q").appendString("_id", namespace.full()).end();
    update.startArray("u").startDocument(0).startDocument("$set");
    update.appendUuid("collUuid", uuid).appendString("mode", FULL);
    update.appendDouble("samplesPerSecond", perSecond);
    update.startDocument("startTime").startArray("$cond").startDocument(0).startArray("$and");
    update.startDocument(0).startArray("$eq").append(0, RawValue.ofString("$collUuid"));
    update.append(1, RawValue.ofUuid(uuid)).end().end();
    update.startDocument(1).startArray("$eq").append(0, RawValue.ofString("$mode"));
    update.append(1, RawValue.ofString(FULL)).end().end().end().end();
    update.append(1, RawValue.ofString("$startTime"));
    update.append(2, RawValue.ofDate(clock.wallMillis())).end().end().end().end();
    update.startDocument(1).appendString("$unset", "stopTime").end().end();
    return update.appendBoolean("upsert", true).end().end().toDocument();
  }

  private RawDocument stop(Namespace namespace, UUID uuid) {
    var update = new BsonBuilder().appendString("update", "queryAnalyzers");
    update.startArray("updates").startDocument(0);
    update.startDocument("q").appendString("_id", namespace.full()).appendUuid("collUuid", uuid);
    update.appendString("mode", FULL).end().startDocument("u").startDocument("$set");
    update.appendString("mode", OFF).appendDate("stopTime", clock.wallMillis());
    return update.end().end().end().end().toDocument();
  }

  private void createIndexes(OperationContext operation) {
    for (String collection : new String[] {QuerySampler.QUERIES, QuerySampler.DIFFERENCES}) {
      var create = new BsonBuilder().appendString("createIndexes", collection);
      create.startArray("indexes").startDocument(0);
      create.startDocument("key").appendInt32("expireAt", 1).end();
      create.appendString("name", "SampledQueriesTTLIndex").appendInt32("expireAfterSeconds", 0);
      config.call(operation, create.end().end().toDocument());
    }
  }
}
