package dev.wisent.server.command.replication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.replication.ReplicaSetControl;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import java.time.Duration;

/** {@code replSetStepDown}: another member shall be primary, for a time at least. */
final class ReplSetStepDownCommand implements Command {
  private static final long STAND_BACK_SECONDS_DEFAULT = 60;
  private static final long CATCH_UP_SECONDS_DEFAULT = 10;

  private final ReplicaSetControl control;

  ReplSetStepDownCommand(ReplicaSetControl control) {
    this.control = control;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    boolean force = false;
    long catchUpSeconds = -1;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "force" -> force = reader.bool();
        case "secondaryCatchUpPeriodSecs" -> catchUpSeconds = reader.wholeNumber();
        default -> reader.unknown();
      }
    }
    RawValue argument = request.argument();
    long standBackSeconds =
        argument.isNumber()
            ? ArgumentTypes.wholeNumber("replSetStepDown.replSetStepDown", argument)
            : 0;
    if (standBackSeconds == 0) {
      standBackSeconds = STAND_BACK_SECONDS_DEFAULT;
    }
    if (standBackSeconds < 0) {
      throw bad("stepdown period must be a positive integer");
    }
    if (catchUpSeconds < -1) {
      throw bad("secondaryCatchUpPeriodSecs period must be a positive or absent");
    }
    if (catchUpSeconds == -1) {
      catchUpSeconds = force ? 0 : Math.min(CATCH_UP_SECONDS_DEFAULT, standBackSeconds);
    }
    if (standBackSeconds < catchUpSeconds) {
      throw bad("stepdown period must be longer than secondaryCatchUpPeriodSecs");
    }
    control.stepDown(
        Duration.ofSeconds(standBackSeconds),
        Duration.ofSeconds(catchUpSeconds),
        force,
        context.operation());
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
