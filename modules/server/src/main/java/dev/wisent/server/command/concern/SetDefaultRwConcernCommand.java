package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.replication.concern.WriteMode;
import dev.wisent.replication.concern.WriteQuorum;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.util.List;

/** {@code setDefaultRWConcern}: changes the concerns of commands that do not say any. */
public final class SetDefaultRwConcernCommand implements Command {
  private final Operations operations;
  private final ReplicaSet set;
  private final CurrentQuorum quorum;
  private final DefaultConcerns defaults;

  /**
   * @param set null on a standalone, which has no such defaults
   */
  public SetDefaultRwConcernCommand(Operations operations, ReplicaSet set) {
    this.operations = operations;
    this.set = set;
    this.quorum = set == null ? null : new CurrentQuorum(set);
    this.defaults = set == null ? null : new DefaultConcerns(operations, quorum);
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    RawDocument read = null;
    RawDocument write = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case DefaultConcerns.READ -> read = reader.document();
        case DefaultConcerns.WRITE -> write = reader.document();
        default -> reader.unknown();
      }
    }
    GetDefaultRwConcernCommand.checkMember(defaults, "setDefaultRWConcern");
    OperationContext operation = context.operation();
    RawDocument before = defaults.stored(operation);
    check(read, write, before);
    RawDocument after =
        document(
            read == null ? DefaultConcerns.concern(before, DefaultConcerns.READ) : read,
            write == null ? DefaultConcerns.concern(before, DefaultConcerns.WRITE) : write,
            operation);
    store(after, operation);
    DefaultConcernsReply.append(after, defaults, operation.clock().wallMillis(), reply);
  }

  private void check(RawDocument read, RawDocument write, RawDocument before) {
    if (read == null && write == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "At least one of the \"defaultReadConcern\" or \"defaultWriteConcern\" fields must be"
              + " present");
    }
    if (read != null) {
      checkRead(ReadConcern.parse(DefaultConcerns.READ, read), read);
    }
    if (write == null) {
      return;
    }
    if (!write.isEmpty()) {
      checkWrite(WriteConcern.parse(DefaultConcerns.WRITE, write));
    } else if (DefaultConcerns.concern(before, DefaultConcerns.WRITE) != null) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "The global default write concern cannot be unset once it is set.");
    }
  }

  private static void checkRead(ReadConcern concern, RawDocument given) {
    if (concern.level() == ReadConcern.Level.LINEARIZABLE
        || concern.level() == ReadConcern.Level.SNAPSHOT) {
      throw unsuitable("level: '" + concern.level().text() + "'");
    }
    if (concern.time() != null) {
      throw unsuitable("'" + concern.time() + "'");
    }
    if (given.get("provenance") != null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "'provenance' must be unset in default read concern");
    }
  }

  private static CommandException unsuitable(String what) {
    return new CommandException(
        ErrorCode.BAD_VALUE, what + " is not suitable for the default read concern");
  }

  private void checkWrite(WriteConcern concern) {
    String problem = null;
    if (concern.mode() == null) {
      problem = "Default write concern must have 'w' field.";
    } else if (concern.mode() instanceof WriteMode.Members members && members.count() == 0) {
      problem = "Unacknowledged write concern is not suitable for the default write concern";
    } else if (concern.provenance() != null) {
      problem = "'provenance' must be unset in default write concern";
    }
    if (problem != null) {
      throw new CommandException(ErrorCode.BAD_VALUE, problem);
    }
    WriteQuorum present = quorum.get();
    if (present != null) {
      present.checkPossible(concern.mode());
    }
  }

  private RawDocument document(RawDocument read, RawDocument write, OperationContext operation) {
    var out = new BsonBuilder();
    out.appendString("_id", DefaultConcerns.ID);
    if (read != null && !read.isEmpty()) {
      out.appendDocument(DefaultConcerns.READ, read);
    }
    if (write != null && !write.isEmpty()) {
      out.appendDocument(DefaultConcerns.WRITE, write);
    }
    out.appendTimestamp("updateOpTime", set.clock().now());
    out.appendDate("updateWallClockTime", operation.clock().wallMillis());
    return out.toDocument();
  }

  private void store(RawDocument document, OperationContext operation) {
    var statement =
        new UpdateStatement(
            DefaultConcerns.FILTER,
            RawValue.ofDocument(document),
            false,
            true,
            List.of(),
            RawDocument.EMPTY,
            null);
    WriteOutcome outcome =
        operations.update(
            operation,
            new UpdateRequest(DefaultConcerns.NAMESPACE, List.of(statement), true, true));
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }
}
