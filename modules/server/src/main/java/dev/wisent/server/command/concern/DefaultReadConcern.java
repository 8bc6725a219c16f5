package dev.wisent.server.command.concern;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Operations;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.server.command.CommandKind;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.ReadConcernSupport;

/** Gives reads without a read concern the one that an administrator has set. Thread-safe. */
public final class DefaultReadConcern {
  private static final String FIELD = "readConcern";

  private final DefaultConcerns defaults;
  private final Clock clock;

  /**
   * @param set null on a standalone, which has no such default
   */
  public DefaultReadConcern(Operations operations, ReplicaSet set, Clock clock) {
    this.defaults = set == null ? null : new DefaultConcerns(operations, new CurrentQuorum(set));
    this.clock = clock;
  }

  /** The request with the default where it says nothing. What a router sends has its own. */
  public CommandRequest applyTo(CommandRequest request, CommandSpec spec) {
    boolean routed = request.shardVersion() != null || request.databaseVersion() != null;
    if (defaults == null || routed || !isTakenBy(request, spec)) {
      return request;
    }
    RawDocument concern = defaults.readConcern(clock);
    return concern != null && isUsable(concern, request) ? request.with(FIELD, concern) : request;
  }

  /**
   * Whether a default is for a request: a read without a concern, or the start of a transaction.
   */
  public static boolean isTakenBy(CommandRequest request, CommandSpec spec) {
    return request.readConcern() == null
        && (spec.kind() == CommandKind.READ || request.startsTransaction())
        && spec.readConcern() != ReadConcernSupport.LOCAL_ONLY
        && (!request.isInTransaction() || request.startsTransaction())
        && !spec.name().equals("getMore")
        && !isChangeStream(request);
  }

  /** A transaction has no read concern available. */
  public static boolean isUsable(RawDocument concern, CommandRequest request) {
    RawValue level = concern.get("level");
    return !request.isInTransaction()
        || level == null
        || !level.isString()
        || !level.asString().equals("available");
  }

  /** A change stream always reads what a majority has. */
  private static boolean isChangeStream(CommandRequest request) {
    RawValue pipeline = request.name().equals("aggregate") ? request.body().get("pipeline") : null;
    if (pipeline == null || !pipeline.isArray()) {
      return false;
    }
    ElementCursor stages = pipeline.elements();
    if (!stages.next() || !stages.value().isDocument()) {
      return false;
    }
    ElementCursor stage = stages.value().elements();
    return stage.next() && stage.name().equals("$changeStream");
  }

  /**
   * Appends the read concern that an operation has, and where it is from, as a profile shows it.
   */
  public static void append(CommandRequest request, CommandSpec spec, BsonBuilder out) {
    boolean reads =
        spec.kind() == CommandKind.READ && spec.readConcern() != ReadConcernSupport.LOCAL_ONLY;
    RawDocument given = request.readConcern();
    if (given == null && !reads) {
      return;
    }
    out.startDocument(FIELD);
    if (given == null || given.get("level") == null) {
      out.appendString("level", ReadConcern.Level.LOCAL.text());
    }
    if (given != null) {
      out.appendAll(given);
    }
    if (given == null || given.get("provenance") == null) {
      Provenance from = given == null ? Provenance.IMPLICIT_DEFAULT : Provenance.CLIENT_SUPPLIED;
      out.appendString("provenance", from.text());
    }
    out.end();
  }
}
