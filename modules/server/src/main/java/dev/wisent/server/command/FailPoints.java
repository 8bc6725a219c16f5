package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.OperationContext;
import dev.wisent.server.connection.ClientConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The {@code failCommand} fail point, with which driver tests make commands fail. Off unless the
 * server was started with test commands. Thread-safe.
 */
public final class FailPoints {
  private static final Effect NO_EFFECT = new Effect(null);

  private final AtomicReference<FailCommand> failCommand = new AtomicReference<>();

  /** How often an active fail point acts: first not at all, then a number of times or always. */
  record Mode(long skips, long times) {
    static final Mode ALWAYS = new Mode(0, Long.MAX_VALUE);
  }

  /** What commands to disturb, and how. */
  record FailCommand(
      Mode mode,
      Set<String> commands,
      String appName,
      boolean closeConnection,
      int errorCode,
      List<String> errorLabels,
      RawDocument writeConcernError,
      long blockMillis,
      RawDocument data) {
    FailCommand withMode(Mode changed) {
      return new FailCommand(
          changed,
          commands,
          appName,
          closeConnection,
          errorCode,
          errorLabels,
          writeConcernError,
          blockMillis,
          data);
    }
  }

  /** Sets, or with null clears, what {@code failCommand} does. */
  void failCommand(FailCommand settings) {
    failCommand.set(settings);
  }

  Effect effectOn(CommandSpec spec, ClientConnection client) {
    FailCommand current = failCommand.get();
    return current == null ? NO_EFFECT : activeEffect(spec, client);
  }

  private Effect activeEffect(CommandSpec spec, ClientConnection client) {
    while (true) {
      FailCommand current = failCommand.get();
      if (current == null || !appliesTo(current, spec, client)) {
        return NO_EFFECT;
      }
      Mode mode = current.mode();
      FailCommand next;
      if (mode.skips() > 0) {
        next = current.withMode(new Mode(mode.skips() - 1, mode.times()));
      } else if (mode.times() == Long.MAX_VALUE) {
        return new Effect(current);
      } else {
        next =
            mode.times() <= 1 ? null : current.withMode(new Mode(0, mode.times() - 1));
      }
      if (failCommand.compareAndSet(current, next)) {
        return mode.skips() > 0 ? NO_EFFECT : new Effect(current);
      }
    }
  }

  private static boolean appliesTo(
      FailCommand settings, CommandSpec spec, ClientConnection client) {
    boolean named =
        settings.commands().contains(spec.name())
            || spec.aliases().stream().anyMatch(settings.commands()::contains);
    return named
        && !spec.name().equals("configureFailPoint")
        && (settings.appName() == null || settings.appName().equals(appNameOf(client)));
  }

  private static String appNameOf(ClientConnection client) {
    RawDocument metadata = client.clientMetadata();
    RawValue application = metadata == null ? null : metadata.get("application");
    RawValue name =
        application == null || !application.isDocument()
            ? null
            : application.asDocument().get("name");
    return name == null || !name.isString() ? null : name.asString();
  }

  /** What happens to one command. */
  static final class Effect {
    private final FailCommand settings;

    private Effect(FailCommand settings) {
      this.settings = settings;
    }

    boolean closeConnection() {
      return settings != null && settings.closeConnection() && settings.blockMillis() == 0;
    }

    void delayOrFail(OperationContext operation) {
      if (settings == null) {
        return;
      }
      if (settings.blockMillis() > 0) {
        block(operation);
      }
      if (settings.errorCode() != 0) {
        throw new CommandException(
            codeOf(settings.errorCode()),
            "Failing command via 'failCommand' failpoint",
            settings.errorLabels());
      }
    }

    private void block(OperationContext operation) {
      long until = operation.clock().monotonicNanos() + settings.blockMillis() * 1_000_000;
      while (operation.clock().monotonicNanos() - until < 0) {
        operation.checkNow();
        java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
      }
    }

    void appendWriteConcernError(BsonBuilder reply) {
      if (settings != null && settings.writeConcernError() != null) {
        reply.appendDocument("writeConcernError", settings.writeConcernError());
      }
    }

    private static ErrorCode codeOf(int number) {
      for (ErrorCode code : ErrorCode.values()) {
        if (code.code() == number) {
          return code;
        }
      }
      throw new CommandException(
          ErrorCode.BAD_VALUE, "failCommand: error code " + number + " is not known");
    }
  }
}
