package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.oplog.PreImageLifetime;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.LinkedHashSet;
import java.util.Set;

/** {@code getClusterParameter}: one by name, several in an array, or all with {@code '*'}. */
final class GetClusterParameterCommand implements Command {
  private final Operations operations;
  private final ReplicaSet set;

  /**
   * @param set null on a standalone, which has no such parameters
   */
  GetClusterParameterCommand(Operations operations, ReplicaSet set) {
    this.operations = operations;
    this.set = set;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    Set<String> names = names(request.argument());
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        // Only a tenant's parameters could be left out, and there are no tenants.
        case "omitInFTDC" -> reader.bool();
        default -> reader.unknown();
      }
    }
    ClusterParameters.checkMember(set, "getClusterParameter");
    names.forEach(ClusterParameters::checkKnown);
    reply.startArray("clusterParameters");
    reply.startDocument(0);
    append(context.operation(), reply);
    reply.end();
    reply.end();
  }

  private static Set<String> names(RawValue argument) {
    Set<String> names = new LinkedHashSet<>();
    if (argument.isString()) {
      names.add(argument.asString().equals("*") ? PreImageLifetime.PARAMETER : argument.asString());
    } else if (argument.isArray()) {
      ElementCursor elements = argument.elements();
      while (elements.next()) {
        names.add(ArgumentTypes.string("getClusterParameter." + elements.name(), elements.value()));
      }
    } else {
      throw ArgumentTypes.wrongType(
          "getClusterParameter.getClusterParameter", argument.type(), "string", "array");
    }
    if (names.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Must supply at least one cluster server parameter name");
    }
    return names;
  }

  /** Reading what is stored is no part of the operation. */
  private void append(OperationContext operation, BsonBuilder reply) {
    OperationContext own = OperationContext.internal(operation.clock());
    try (ResultCursor found = operations.find(own, PreImageLifetime.query())) {
      RawDocument stored = found.peek();
      if (stored != null) {
        reply.appendAll(stored);
      } else {
        reply.appendString("_id", PreImageLifetime.PARAMETER);
        PreImageLifetime.UNLIMITED.append(reply);
      }
    }
  }
}
