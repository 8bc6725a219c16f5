package dev.wisent.tools.backup;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** {@code wisent backup}. */
public final class BackupTool {
  private static final int COMMAND_NOT_FOUND = 59;
  private static final int OUT_OF_DISK_SPACE = 14031;
  private static final double MIB = 1 << 20;

  private final BackupSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;

  private BackupTool(BackupSettings settings, Surroundings surroundings, Messages messages) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  public static FlagTable flags() {
    return BackupSettings.flags();
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    BackupSettings settings = BackupSettings.parse(flags);
    var tool = new BackupTool(settings, surroundings, Messages.of(flags, surroundings.err()));
    try {
      switch (settings.command()) {
        case MAKE -> tool.make(flags);
        case LIST -> tool.list();
        case VERIFY -> tool.verify();
        case RESTORE -> tool.restore();
        case PRUNE -> tool.prune();
      }
    } catch (IOException e) {
      throw ToolException.failed("cannot use " + settings.directory() + ": " + e, e);
    }
  }

  private void make(Flags flags) throws ToolException, IOException {
    try (Deployment deployment = Deployment.connect(flags, settings.uri(), surroundings);
        BackupDirectory directory = BackupDirectory.openOrCreate(settings.directory())) {
      List<OpenState> states =
          deployment.kind() == Kind.ROUTER
              ? new ClusterStates(deployment, settings.readPreference(), surroundings, messages)
                  .open()
              : List.of(open(deployment));
      try (StateKeeping keeping = StateKeeping.start(surroundings.scheduler(), states)) {
        new BackupRun(directory, surroundings, messages).run(states);
      } finally {
        states.forEach(OpenState::close);
      }
    } catch (MongoCommandException e) {
      throw switch (e.getErrorCode()) {
        case COMMAND_NOT_FOUND ->
            ToolException.failed("the server knows no backups; wisent dump copies others", e);
        case OUT_OF_DISK_SPACE ->
            Deployment.failure(
                "the server has given up the state: its disk is full. The earlier backups are as"
                    + " they were; repeat this one when there is space",
                e);
        default -> Deployment.failure("the backup has failed", e);
      };
    } catch (MongoException e) {
      throw Deployment.failure("the backup has failed", e);
    }
  }

  private OpenState open(Deployment deployment) throws ToolException {
    BsonDocument times = SourceMember.askPrimary(deployment, messages);
    SourceMember member = SourceMember.choose(deployment, settings.readPreference());
    OpenState state =
        StateOpening.run(surroundings, List.of(() -> fixed(member, times))).getFirst();
    messages.say("reading the state of " + member.host());
    return state;
  }

  private static OpenState fixed(SourceMember member, BsonDocument times) {
    try {
      BsonDocument reply = member.begin(times);
      String name = reply.containsKey("setName") ? reply.getString("setName").getValue() : "server";
      return OpenState.of(member, name, reply);
    } catch (RuntimeException e) {
      member.close();
      throw e;
    }
  }

  private void list() throws ToolException, IOException {
    try (BackupDirectory directory = BackupDirectory.open(settings.directory())) {
      List<String[]> rows = new ArrayList<>();
      for (BackupManifest backup : directory.all()) {
        rows.add(
            new String[] {
              backup.id(),
              "%.1f MiB".formatted(backup.bytes() / MIB),
              "%.1f MiB".formatted(backup.fetchedBytes() / MIB),
              String.join(", ", backup.parts().stream().map(BackupPart::host).toList()),
              String.join(", ", backup.partNames())
            });
      }
      surroundings
          .out()
          .printf("%-16s %12s %12s  %-24s %s%n", "backup", "size", "new", "host", "of");
      for (String[] row : rows) {
        surroundings.out().printf("%-16s %12s %12s  %-24s %s%n", (Object[]) row);
      }
      surroundings.out().flush();
    }
  }

  private void verify() throws ToolException, IOException {
    try (BackupDirectory directory = BackupDirectory.open(settings.directory())) {
      List<BackupManifest> backups =
          settings.backup().isPresent() ? List.of(chosen(directory)) : directory.all();
      if (backups.isEmpty()) {
        throw none(directory);
      }
      new BackupCheck(directory, surroundings, messages).verify(backups);
    }
  }

  private BackupManifest chosen(BackupDirectory directory) throws ToolException, IOException {
    if (settings.backup().isPresent()) {
      return directory.read(settings.backup().get());
    }
    List<String> ids = directory.ids();
    if (ids.isEmpty()) {
      throw none(directory);
    }
    return directory.read(ids.getLast());
  }

  private static ToolException none(BackupDirectory directory) {
    return ToolException.failed(directory.root() + " has no complete backup");
  }

  private void restore() throws ToolException, IOException {
    try (BackupDirectory directory = BackupDirectory.open(settings.directory())) {
      BackupManifest backup = chosen(directory);
      BackupPart part = part(backup);
      new BackupRestore(directory, surroundings, messages).restore(backup, part, settings.dbPath());
      messages.say(
          "backup %s of %s (%s) is restored to %s"
              .formatted(backup.id(), part.name(), part.host(), settings.dbPath()));
    }
  }

  private BackupPart part(BackupManifest backup) throws ToolException {
    if (settings.shard().isEmpty()) {
      if (backup.parts().size() > 1) {
        throw ToolException.badOption(
            "the backup is of a cluster: choose one of " + backup.partNames() + " with --shard");
      }
      return backup.parts().getFirst();
    }
    String name = settings.shard().get();
    return backup
        .part(name)
        .orElseThrow(
            () ->
                ToolException.failed(
                    "the backup has no '" + name + "', but " + backup.partNames()));
  }

  private void prune() throws ToolException, IOException {
    try (BackupDirectory directory = BackupDirectory.open(settings.directory())) {
      List<String> ids = directory.ids();
      List<String> removed = ids.subList(0, Math.max(0, ids.size() - settings.keep()));
      directory.remove(removed);
      messages.say(
          "%d backup(s) removed, %d left".formatted(removed.size(), ids.size() - removed.size()));
    }
  }
}
