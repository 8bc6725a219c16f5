package dev.wisent.server.command.concern;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.TransactionArguments;

/** What write concern a command has, and the wait for it after the command has done its work. */
public final class WriteConcerns {
  private final Operations operations;
  private final ReplicaSet set;
  private final DefaultConcerns defaults;
  private final WriteConcernWait wait;

  /**
   * @param set null on a standalone
   */
  public WriteConcerns(Operations operations, ReplicaSet set) {
    this.operations = operations;
    this.set = set;
    CurrentQuorum quorum = set == null ? null : new CurrentQuorum(set);
    this.defaults = set == null ? null : new DefaultConcerns(operations, quorum);
    this.wait = set == null ? null : new WriteConcernWait(set, quorum);
  }

  /** The write concern of a command under way, to be waited for after it has succeeded. */
  public final class Acknowledgement {
    private final CommandSpec spec;
    private final WriteConcern concern;

    /** Whether other members have to do with it. */
    private final boolean replicated;

    private Acknowledgement(CommandSpec spec, WriteConcern concern, boolean replicated) {
      this.spec = spec;
      this.concern = concern;
      this.replicated = replicated;
    }

    /**
     * Waits, and tells in the reply where that was in vain: the write stays all the same. Returns
     * the number of that error, or 0.
     */
    public int await(OperationContext operation, BsonBuilder reply) {
      boolean wrote = operation.hasWritten();
      if (spec.kind() == CommandKind.READ && !(wrote || operation.writes().attempted())) {
        return 0;
      }
      try {
        if (concern.needsJournal() && (wrote || set == null)) {
          operations.awaitDurable(operation);
        }
        if (replicated && concern.mode().concernsOthers()) {
          awaitOthers(operation);
        }
        return 0;
      } catch (CommandException e) {
        append(e, reply);
        return e.code().code();
      }
    }

    private void awaitOthers(OperationContext operation) {
      long written = ClusterTimes.writtenAt(operation);
      // A write that had nothing to change has seen what others have written before.
      wait.await(concern, written != 0 ? written : set.lastApplied().timestamp(), operation);
    }

    private void append(CommandException error, BsonBuilder reply) {
      reply.startDocument("writeConcernError");
      reply.appendInt32("code", error.code().code());
      reply.appendString("codeName", error.code().codeName());
      reply.appendString("errmsg", error.getMessage());
      reply.startDocument("errInfo");
      if (error.code() == ErrorCode.WRITE_CONCERN_FAILED) {
        reply.appendBoolean("wtimeout", true);
      }
      reply.startDocument("writeConcern");
      concern.append(reply);
      reply.appendString("provenance", concern.provenance().text());
      reply.end();
      reply.end();
      reply.end();
    }
  }

  /** The write concern of a command; null for one that takes none or is to be committed later. */
  public Acknowledgement of(CommandSpec spec, CommandRequest request, OperationContext operation) {
    RawDocument given = request.writeConcern();
    if (!spec.is(CommandTrait.WRITE_CONCERN)) {
      if (given != null) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, "Command does not support writeConcern");
      }
      return null;
    }
    if (TransactionArguments.isStatement(request, spec)) {
      return null;
    }
    return set == null
        ? new Acknowledgement(spec, standalone(given), false)
        : new Acknowledgement(spec, member(given, operation), !isLocal(request));
  }

  private static boolean isLocal(CommandRequest request) {
    return request.database().equals("local");
  }

  private static WriteConcern standalone(RawDocument given) {
    if (given == null || given.isEmpty()) {
      return WriteConcern.STANDALONE;
    }
    WriteConcern concern = WriteConcern.parse(given).withDefault(WriteConcern.STANDALONE);
    concern.checkStandalone(given);
    return concern.from(Provenance.CLIENT_SUPPLIED);
  }

  private WriteConcern member(RawDocument given, OperationContext operation) {
    if (given == null || given.isEmpty()) {
      return defaults.writeConcern(operation);
    }
    WriteConcern concern = WriteConcern.parse(given);
    return concern.mode() == null
        ? concern.withDefault(defaults.writeConcern(operation))
        : concern.from(Provenance.CLIENT_SUPPLIED);
  }
}
