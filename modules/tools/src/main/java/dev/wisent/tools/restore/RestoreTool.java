package dev.wisent.tools.restore;

import com.mongodb.MongoException;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Progress;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import dev.wisent.tools.format.DamagedDumpException;
import java.io.IOException;

/** {@code wisent restore}. */
public final class RestoreTool {
  private final RestoreSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;

  private RestoreTool(RestoreSettings settings, Surroundings surroundings, Messages messages) {
    this.settings = settings;
    this.surroundings = surroundings;
    this.messages = messages;
  }

  public static FlagTable flags() {
    return RestoreSettings.flags();
  }

  public static void run(Flags flags, Surroundings surroundings) throws ToolException {
    RestoreSettings settings = RestoreSettings.parse(flags);
    Messages messages = Messages.of(flags, surroundings.err());
    try (Deployment deployment = Deployment.connect(flags, settings.uri(), surroundings)) {
      new RestoreTool(settings, surroundings, messages).run(deployment);
    } catch (MongoException e) {
      throw Deployment.failure("the restore has failed", e);
    } catch (DamagedDumpException e) {
      throw ToolException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ToolException.failed("cannot read the dump: " + e, e);
    }
  }

  private DumpSource source() throws IOException, ToolException {
    if (settings.archive() != null) {
      return ArchiveSource.open(settings, surroundings.in());
    }
    return settings.from().equals("-")
        ? new StreamSource(settings, surroundings.in())
        : DirectorySource.open(settings, surroundings.scheduler());
  }

  private void run(Deployment deployment) throws ToolException, IOException {
    try (DumpSource source = source()) {
      checkOplog(deployment, source);
      var plan = RestorePlan.of(source, settings, messages);
      if (settings.dryRun()) {
        plan.print(messages);
        messages.say("nothing was changed, because of --dryRun");
        return;
      }
      try (Progress progress =
          Progress.ofBytes(surroundings, messages, "restore", source.bytes())) {
        var run = new RestoreRun(deployment, settings, surroundings, messages, plan, progress);
        try {
          run.run(source);
        } catch (MongoException e) {
          run.summary();
          throw e;
        } catch (ToolException | IOException e) {
          progress.close();
          run.summary();
          throw e;
        }
        progress.close();
        run.summary();
      }
    }
  }

  private void checkOplog(Deployment deployment, DumpSource source) throws ToolException {
    if (!settings.oplogReplay()) {
      if (source.hasOplog()) {
        messages.warn(
            "the dump has an oplog: without --oplogReplay its collections are of different times");
      }
      return;
    }
    if (!source.hasOplog()) {
      throw ToolException.failed("--oplogReplay: the dump has no oplog; see dump --oplog");
    }
    if (deployment.kind() == Kind.ROUTER) {
      throw ToolException.failed("--oplogReplay is for replica sets and single servers");
    }
  }
}
