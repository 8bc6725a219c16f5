package dev.wisent.tools.migrate;

import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.migrate.MigrationState.Phase;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonBinary;
import org.bson.BsonDocument;

/** One run of a migration: it begins, or goes on where the last run has ended. */
final class Migration {
  private static final int FINISH_ROUNDS = 3;

  private final Deployment source;
  private final Deployment target;
  private final MigrateSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;
  private final MigrationState state;

  private CatalogSync catalog;
  private Copier copier;
  private Verification verification;

  /**
   * @param target whose driver repeats no writes; it is told apart from that of the state, whose
   *     writes are refused where they come too late
   */
  Migration(
      Deployment source,
      Deployment target,
      MigrateSettings settings,
      Surroundings surroundings,
      Messages messages,
      MigrationState state) {
    this.source = source;
    this.target = target;
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
    this.state = state;
  }

  void run() throws ToolException {
    if (SourceIdentity.isSame(source, target, surroundings)) {
      throw ToolException.failed("source and target are the same deployment");
    }
    BsonDocument identity = SourceIdentity.of(source, settings, surroundings);
    Optional<BsonDocument> stored = Lease.awaitOthers(target, surroundings);
    if (stored.isPresent() && settings.restart()) {
      state.takeOver(stored.get());
      dropCopies();
      stored = Optional.empty();
    }
    if (stored.isPresent() && !stored.get().getDocument("identity").equals(identity)) {
      throw ToolException.failed(
          "the target has the state of another migration: "
              + stored.get().getDocument("identity").toJson()
              + "; --restart drops what that has copied");
    }
    Phase phase =
        stored
            .map(document -> Phase.valueOf(document.getString("phase").getValue()))
            .orElse(Phase.COPY);
    if (phase == Phase.DONE) {
      MigrationState.drop(target);
      messages.say("the migration was finished by an earlier run");
      return;
    }
    if (stored.isEmpty()) {
      new MigrationCheck(source, target, settings, messages).run();
    }
    if (stored.isPresent()) {
      state.takeOver(stored.get());
      messages.say("going on with the migration of an earlier run");
    } else {
      lookAtCatalog();
      // Whatever happens from here on is in the stream or in what is copied after this.
      state.begin(identity, settings.follow() ? ChangeReader.here(source) : null);
    }
    try (Lease lease = Lease.begin(state, surroundings.scheduler())) {
      if (stored.isPresent()) {
        lookAtCatalog();
      }
      move(phase);
    }
  }

  private void dropCopies() throws ToolException {
    var copies = new TargetCatalog(target, state.fence(), messages);
    copies.read();
    for (MovedCollection each : state.collections()) {
      CollectionInfo copy = copies.find(each.target());
      if (copy != null && each.adopted() && !copy.isCapped()) {
        copies.clear(copy);
        new IndexSync(source, target, catalog, state.fence(), messages).dropAll(each, copy);
      } else if (copy != null) {
        copies.drop(copy);
      }
    }
    for (String view : state.views().keySet()) {
      CollectionInfo there = copies.named(view).filter(CollectionInfo::isView).orElse(null);
      if (there != null) {
        copies.drop(there);
      }
    }
    MigrationState.drop(target);
  }

  /** Reads what an earlier run has stored, which must be able to store nothing more. */
  private void lookAtCatalog() throws ToolException {
    var copies = new TargetCatalog(target, state.fence(), messages);
    catalog = new CatalogSync(source, copies, settings, state);
    var indexes = new IndexSync(source, target, catalog, state.fence(), messages);
    copier = new Copier(source, catalog, indexes, settings, surroundings, messages);
    verification = new Verification(source, target, catalog, settings, surroundings, messages);
    catalog.checkFree();
  }

  private void move(Phase phase) throws ToolException {
    if (!settings.follow()) {
      Attempts.untilItSucceeds(surroundings, copier::syncAll);
      finish(null);
      return;
    }
    var touched = new TouchedKeys(target, state.fence());
    if (phase == Phase.COPY) {
      copy(touched);
      state.phase(Phase.FOLLOW);
      messages.say("everything is copied");
    } else {
      Attempts.untilItSucceeds(surroundings, copier::syncAll);
    }
    var refresh = new KeyedRefresh(source, catalog, surroundings, settings.parallel());
    Attempts.untilItSucceeds(surroundings, () -> bringInLine(touched, refresh));
    try (var follower =
        new Follower(
            source,
            state,
            catalog,
            copier,
            refresh,
            verification,
            token(),
            surroundings,
            messages)) {
      follow(follower);
      try {
        finish(follower);
      } catch (ToolException | RuntimeException e) {
        forgetWish(e);
        throw e;
      }
    }
  }

  private void follow(Follower follower) throws ToolException {
    try {
      follower.follow(settings.finishWhenCaughtUp());
    } catch (ToolException | RuntimeException e) {
      try {
        verification.stop();
      } catch (ToolException | RuntimeException other) {
        if (other != e) {
          e.addSuppressed(other);
        }
      }
      throw e;
    }
  }

  private void forgetWish(Exception why) {
    try {
      state.finishFailed();
    } catch (ToolException | RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  private BsonDocument token() {
    return MigrationState.stored(target).orElseThrow().getDocument("token");
  }

  private void copy(TouchedKeys touched) throws ToolException {
    ChangeReader.open(source, token()).close(); // says at once if these changes are lost
    var notes = new CopyNotes(source, catalog, state, touched, token(), surroundings);
    notes.start();
    try {
      Attempts.untilItSucceeds(surroundings, copier::syncAll);
    } catch (ToolException | RuntimeException e) {
      try {
        notes.stop();
      } catch (ToolException | RuntimeException other) {
        e.addSuppressed(other);
      }
      throw e;
    }
    notes.stop();
  }

  /** What has changed during the copy. */
  private void bringInLine(TouchedKeys touched, KeyedRefresh refresh) throws ToolException {
    for (Map<BsonBinary, Set<DocumentKey>> keys = touched.some();
        !keys.isEmpty();
        keys = touched.some()) {
      surroundings.interruption().check();
      refresh.refresh(keys, SourceTime.now(source));
      touched.remove(keys);
    }
  }

  /**
   * Ends the migration. It takes as long as the changes since the last comparison do, and the
   * indexes that become unique, however much there is.
   *
   * @param follower null without following
   */
  private void finish(Follower follower) throws ToolException {
    long began = follower == null ? surroundings.clock().monotonicNanos() : follower.wishedNanos();
    if (follower == null) {
      messages.say("finishing");
    }
    Verification.Result result = compare(follower);
    if (!result.differences().isEmpty()) {
      messages.warn("The target is not equal to the source:");
      result.differences().forEach(each -> messages.warn("  " + each));
      throw ToolException.failed(
          "%d collection(s) are different".formatted(result.differences().size()));
    }
    if (settings.users()) {
      state.fence().check();
      new MovedUsers(source, state.deployment(), messages).move();
    }
    Attempts.untilItSucceeds(surroundings, copier::completeIndexes);
    state.phase(Phase.DONE);
    MigrationState.drop(target);
    Duration took = Duration.ofNanos(surroundings.clock().monotonicNanos() - began);
    messages.say(
        "%d document(s) of %d collection(s) are equal in source and target (%s); finishing took %d.%d s"
            .formatted(
                result.documents(),
                result.collections(),
                settings.hashes() ? "compared by hashes" : "counted",
                took.toSeconds(),
                took.toMillisPart() / 100));
    messages.say("the migration is complete: clients may use the target");
  }

  /** Applies the rest, and compares what has changed since it was compared. */
  private Verification.Result compare(Follower follower) throws ToolException {
    for (int round = 1; ; round++) {
      drain(follower);
      Attempts.untilItSucceeds(surroundings, copier::syncAll);
      drain(follower);
      Verification.Result result = verification.complete();
      long late = drain(follower);
      if (late == 0 && result.finished()) {
        return result;
      }
      if (round == FINISH_ROUNDS) {
        throw ToolException.failed(
            "the source is still written to: %d change(s) came while it was compared; stop its"
                    .formatted(late)
                + " writers, and documents from expiring (setParameter ttlMonitorEnabled: false),"
                + " and run this command again");
      }
      messages.say("%d change(s) came while the source was compared".formatted(late));
    }
  }

  private static long drain(Follower follower) throws ToolException {
    return follower == null ? 0 : follower.drain();
  }
}
