package dev.wisent.tools.migrate;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import dev.wisent.base.Clock;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionSettings;
import dev.wisent.tools.connection.Deployment;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/** {@code wisent migrate}. */
public final class MigrateTool {
  private MigrateTool() {}

  public static FlagTable flags() {
    return MigrateSettings.flags();
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    MigrateSettings settings = MigrateSettings.parse(flags);
    Messages messages = Messages.of(flags, surroundings.err());
    MongoClientSettings ofTarget = ConnectionSettings.of(flags, null, surroundings);
    if (!ofTarget.getReadPreference().equals(ReadPreference.primary())) {
      throw ToolException.badOption(
          "the target is read from its primary, and not with readPreference="
              + ofTarget.getReadPreference().getName());
    }
    try (Deployment target = Deployment.connect(ofTarget)) {
      if (settings.mode() == MigrateSettings.Mode.FINISH) {
        finish(target, surroundings, messages);
        return;
      }
      try (Deployment source = source(settings, surroundings)) {
        Clock clock = surroundings.clock();
        if (settings.mode() == MigrateSettings.Mode.CHECK) {
          new MigrationCheck(source, target, settings, messages).run();
          return;
        }
        String run =
            "%x %x".formatted(clock.wallMillis(), clock.monotonicNanos()); // of no other process
        // What the driver repeats would not ask before whether this process still may write.
        MongoClientSettings once = MongoClientSettings.builder(ofTarget).retryWrites(false).build();
        try (Deployment copies = Deployment.connect(once)) {
          var state = new MigrationState(target, run, clock);
          new Migration(source, copies, settings, surroundings, messages, state).run();
        }
      }
    } catch (MongoException e) {
      throw Deployment.failure("the migration has failed", e);
    }
  }

  private static void finish(Deployment target, Surroundings surroundings, Messages messages)
      throws ToolException {
    Optional<BsonDocument> stored = MigrationState.stored(target);
    if (stored.isEmpty()) {
      throw ToolException.failed("there is no migration to this target");
    }
    Optional<String> sign = stored.flatMap(MigrationState::sign);
    if (sign.isEmpty() || !Lease.isAlive(target, sign.get(), surroundings)) {
      throw ToolException.failed(
          "no process runs the migration to this target; repeat the command that began it, and then"
              + " --finish");
    }
    if (!MigrationState.askToFinish(target)) {
      throw ToolException.failed("the migration has ended just now");
    }
    messages.say("the migration that is running finishes now");
  }

  /** The flags of a connection are about the target: all about the source is in its URI. */
  private static Deployment source(MigrateSettings settings, Surroundings surroundings)
      throws ToolException {
    Flags none = flags().parse(List.of());
    try {
      return Deployment.connect(ConnectionSettings.of(none, settings.source(), surroundings));
    } catch (ToolException e) {
      throw ToolException.failed("the source: " + e.getMessage(), e);
    }
  }
}
