package dev.wisent.cluster.config.migration;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.coordinator.Coordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.cluster.coordinator.ResourceLock;
import dev.wisent.sharding.ChunkDocument;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;
import dev.wisent.wire.client.RemoteErrorException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Moves a range to another shard. The donor decides: before that everything can be undone, after
 * that the metadata follows. Migrations of one collection between different shards run side by
 * side; what changes the definition of the collection excludes them.
 */
public final class MoveRangeCoordinator implements Coordinator {
  public static final String TYPE = "moveRange";

  private static final int FLIP_LOG_ID = 9_000_540;
  private static final long PAUSE_MILLIS_MIN = 20;
  private static final long PAUSE_MILLIS_MAX = 2_000;

  private final ClusterMetadata metadata;
  private final SettledChunks settled;

  public MoveRangeCoordinator(ClusterMetadata metadata) {
    this.metadata = metadata;
    this.settled = new SettledChunks(metadata);
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public Set<ResourceLock> locks(String resource, RawDocument arguments) {
    MoveRange move = MoveRange.of(arguments);
    String database = move.namespace().substring(0, move.namespace().indexOf('.'));
    return Set.of(
        new ResourceLock(database, false),
        new ResourceLock(move.namespace(), false),
        shard(move.from()),
        shard(move.to()));
  }

  /** No name of a database or collection. */
  private static ResourceLock shard(String name) {
    return new ResourceLock("shard/" + name, true);
  }

  @Override
  public Optional<RawDocument> check(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    var unused =
        GrantedMigrations.requireAllowed(
            metadata.store().findById(context.operation(), "collections", move.namespace()), move);
    requireShard(metadata.store().findById(context.operation(), "shards", move.to()), move);
    return Optional.empty();
  }

  static void requireShard(RawDocument found, MoveRange move) {
    if (found == null) {
      throw new CommandException(
          ErrorCode.SHARD_NOT_FOUND,
          "Could not move chunk in '%s' to shard '%s' because that shard does not exist"
              .formatted(move.namespace(), move.to()));
    }
  }

  private static RawDocument collection(CatalogChange change, MoveRange move) {
    return change.findOne("collections", DocumentFields.byId(move.namespace()));
  }

  @Override
  public List<Phase> phases() {
    return List.of(
        Phase.reversible("grant", this::grant),
        Phase.deciding("clone", this::clone),
        Phase.deciding("reserve", this::reserve),
        Phase.deciding("flip", this::flip),
        Phase.untilDone("settle", this::settle),
        Phase.untilDone("forget", this::forget));
  }

  private void grant(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    metadata
        .writer()
        .change(
            context.operation(),
            new CatalogWriter.Entry(
                "moveChunk.start", move.namespace(), move.details().toDocument()),
            change -> {
              if (GrantedMigrations.find(change, context.id()) == null) {
                CollectionDocument collection =
                    GrantedMigrations.requireAllowed(collection(change, move), move);
                GrantedMigrations.requireKey(collection, move);
                // It may have been removed since the check; from now on it cannot be.
                requireShard(change.findOne("shards", DocumentFields.byId(move.to())), move);
                ChunkDocument chunk =
                    ChunkDocument.of(
                        GrantedMigrations.chunkOf(change, collection.uuid(), move.range()));
                requireOwner(chunk, move);
                GrantedMigrations.requireNone(
                    change, move.uuid(), chunk.range().min(), chunk.range().max());
                change.insert(
                    GrantedMigrations.COLLECTION, GrantedMigrations.document(context.id(), move));
              }
            });
  }

  private static void requireOwner(ChunkDocument chunk, MoveRange move) {
    if (!chunk.shard().equals(move.from())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "The range %s of %s is on shard %s and not on %s"
              .formatted(move.range(), move.namespace(), chunk.shard(), move.from()));
    }
  }

  private RawDocument call(
      PhaseContext context, String shard, String command, Consumer<BsonBuilder> more) {
    MoveRange move = MoveRange.of(context.arguments());
    var body = new BsonBuilder(512).appendString(command, move.namespace());
    body.appendUuid("id", context.id()).appendUuid("uuid", move.uuid());
    move.range().append(body);
    body.appendString("fromShard", move.from()).appendString("toShard", move.to());
    more.accept(body);
    return metadata.shards().run(context.operation(), shard, "admin", body.toDocument());
  }

  private RawDocument clone(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    RawDocument reply =
        call(
            context,
            move.from(),
            "_shardsvrMoveRange",
            body ->
                body.appendInt64("maxChunkSizeBytes", move.bytesMax())
                    .appendBoolean("forceJumbo", move.forced()));
    return new BsonBuilder()
        .append("clonedDocs", reply.get("clonedDocs"))
        .append("clonedBytes", reply.get("clonedBytes"))
        .append("cloneMillis", reply.get("millis"))
        .toDocument();
  }

  /** Waits for its turn: the versions of a collection are settled in their order. */
  private RawDocument reserve(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    for (long pause = PAUSE_MILLIS_MIN; ; pause = pause(context, pause)) {
      ChunkVersion[] version = {null};
      metadata
          .writer()
          .change(
              context.operation(),
              List.of(),
              change ->
                  version[0] =
                      GrantedMigrations.reserve(
                          change, context.id(), collection(change, move), move));
      if (version[0] != null) {
        return new BsonBuilder().appendDocument("version", version[0].toDocument()).toDocument();
      }
    }
  }

  private static long pause(PhaseContext context, long millis) {
    context.operation().checkNow();
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    context.operation().checkNow();
    return Math.min(2 * millis, PAUSE_MILLIS_MAX);
  }

  static ChunkVersion version(PhaseContext context) {
    return ChunkVersion.of(DocumentFields.document(context.data(), "version"));
  }

  /** Asks until it is known whether the donor has given the range away. */
  private RawDocument flip(PhaseContext context) {
    for (long pause = PAUSE_MILLIS_MIN; ; pause = pause(context, pause)) {
      RawDocument reply = tryFlip(context);
      if (reply != null && DocumentFields.isTrue(reply, "committed")) {
        RawValue millis = reply.get("criticalSectionMillis");
        return new BsonBuilder()
            .append("criticalSectionMillis", millis == null ? RawValue.ofInt64(0) : millis)
            .appendDocument("steps", DocumentFields.document(reply, "steps"))
            .appendDocument("recipientSteps", DocumentFields.document(reply, "recipientSteps"))
            .toDocument();
      }
      if (reply != null) {
        throw new CommandException(
            ErrorCode.ofNumber((int) DocumentFields.number(reply, "reasonCode")),
            DocumentFields.text(reply, "reason"));
      }
    }
  }

  /** Null where it is not known. */
  private RawDocument tryFlip(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    try {
      return call(
          context,
          move.from(),
          "_shardsvrCommitMove",
          body ->
              body.appendDocument("version", version(context).toDocument())
                  .appendBoolean("waitForDelete", move.deletesNow()));
    } catch (CommandException e) {
      context.operation().checkNow();
      metadata
          .log()
          .warn(
              FLIP_LOG_ID,
              "The outcome of a migration is not known yet",
              "namespace",
              move.namespace(),
              "error",
              e.getMessage());
      return null;
    }
  }

  private void settle(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    metadata
        .writer()
        .change(
            context.operation(),
            MigrationLines.ofCommit(move, context.data()),
            change -> {
              RawDocument granted = GrantedMigrations.find(change, context.id());
              if (granted != null) {
                CollectionDocument collection =
                    GrantedMigrations.require(collection(change, move), move);
                settled.write(change, collection, move, version(context));
                change.delete(GrantedMigrations.COLLECTION, granted);
              }
            });
  }

  private void forget(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    var unused = tell(context, move.to(), "_shardsvrEndMove", false);
    call(
        context,
        move.from(),
        "_shardsvrEndMove",
        body ->
            body.appendBoolean("donor", true).appendBoolean("waitForDelete", move.deletesNow()));
  }

  private RawDocument tell(PhaseContext context, String shard, String command, boolean donor) {
    return call(context, shard, command, body -> body.appendBoolean("donor", donor));
  }

  /**
   * The donor first: it cannot give the range away any more then. If it has done so before, that is
   * the decision, whatever has failed after it, and the metadata follows.
   */
  @Override
  public void undo(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    RawDocument donor = abort(context, move.from(), true);
    if (DocumentFields.isTrue(donor, "committed")) {
      var unusedData = flip(context); // The recipient may not know yet.
      settle(context);
      forget(context);
      return;
    }
    var unused = abort(context, move.to(), false);
    metadata
        .writer()
        .change(
            context.operation(),
            MigrationLines.ofFailure(move, context.failure()),
            change -> {
              RawDocument granted = GrantedMigrations.find(change, context.id());
              if (granted != null) {
                change.delete(GrantedMigrations.COLLECTION, granted);
              }
            });
  }

  /** A shard that was removed before the grant knows nothing of the migration. */
  private RawDocument abort(PhaseContext context, String shard, boolean donor) {
    try {
      return tell(context, shard, "_shardsvrAbortMove", donor);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.SHARD_NOT_FOUND || e instanceof RemoteErrorException) {
        throw e;
      }
      return RawDocument.EMPTY;
    }
  }

  @Override
  public RawDocument shown(PhaseContext context) {
    MoveRange move = MoveRange.of(context.arguments());
    var out = new BsonBuilder();
    out.startDocument("migration")
        .appendUuid("id", context.id())
        .appendString("ns", move.namespace());
    out.appendString("fromShard", move.from()).appendString("toShard", move.to());
    move.range().append(out);
    boolean decided = context.data().get("criticalSectionMillis") != null;
    out.appendInt64("documentsCopied", DocumentFields.number(context.data(), "clonedDocs"));
    out.appendInt64("bytesCopied", DocumentFields.number(context.data(), "clonedBytes"));
    out.appendBoolean("decided", decided);
    return out.appendBoolean("toBeSettled", decided).end().toDocument();
  }
}
