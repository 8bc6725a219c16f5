package dev.wisent.server.analysis;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.dispatch.CommandRunner;
import dev.wisent.server.operation.RunningOperation;

/** Shows the commands of clients to a sampler, and runs them as the role does. */
public final class SampledRunner implements CommandRunner {
  private final CommandRunner inner;
  private final QuerySampler sampler;

  public SampledRunner(CommandRunner inner, QuerySampler sampler) {
    this.inner = inner;
    this.sampler = sampler;
  }

  @Override
  public void run(RunningOperation operation, BsonBuilder reply) {
    if (sampler.isIdle()) {
      inner.run(operation, reply);
    } else {
      sampler.around(operation, () -> inner.run(operation, reply));
    }
  }

  @Override
  public boolean takesTransactionNumbers() {
    return inner.takesTransactionNumbers();
  }

  @Override
  public CommandRequest named(CommandRequest request, CommandSpec spec) {
    return inner.named(request, spec);
  }

  @Override
  public void stateChanged(int errorCode, BsonBuilder reply) {
    inner.stateChanged(errorCode, reply);
  }

  @Override
  public void end(OperationContext operation, int errorCode, BsonBuilder reply) {
    inner.end(operation, errorCode, reply);
  }

  @Override
  public CommandException faultOf(RuntimeException thrown) {
    return inner.faultOf(thrown);
  }
}
