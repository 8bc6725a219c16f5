package dev.wisent.server.dispatch;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.RetryableWrite;
import dev.wisent.query.script.ScriptEngine;
import dev.wisent.server.ServerServices;
import dev.wisent.server.audit.CommandAudit;
import dev.wisent.server.authorization.AccessCheck;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.CommandTrait;
import dev.wisent.server.command.RequestSettings;
import dev.wisent.server.command.SessionArguments;
import dev.wisent.server.connection.ClientConnection;
import dev.wisent.server.failpoint.FailCommand;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.failpoint.FailingCommits;
import dev.wisent.server.failpoint.ForcedErrorException;
import dev.wisent.server.metrics.ServerMetrics;
import dev.wisent.server.operation.OperationRegistry;
import dev.wisent.server.operation.RunningOperation;
import dev.wisent.server.profile.ProfileCollection;
import dev.wisent.server.profile.Profiler;
import dev.wisent.server.script.StoredFunctions;
import dev.wisent.server.session.SessionRegistry;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Finds the command of a request, runs it under an operation, and turns errors into replies. */
public final class CommandDispatcher {
  private static final int INTERNAL_ERROR_LOG_ID = 22000;

  private final CommandRegistry registry;
  private final OperationRegistry operations;
  private final SessionRegistry sessions;
  private final FailPoints failPoints;
  private final ServerMetrics metrics;
  private final CommandAccounting accounting;
  private final Profiler profiler;
  private final Clock clock;
  private final RandomSource random;
  private final Log log;
  private final RequestSettings settings;
  private final ScriptEngine scriptEngine;
  private final StoredFunctions storedFunctions;
  private final ResumableErrors resumableErrors;
  private final CommandRunner runner;
  private final AccessCheck access;
  private final CommandAudit audit;

  public CommandDispatcher(
      CommandRegistry registry, ServerServices services, CommandRunner runner) {
    this.registry = registry;
    this.runner = runner;
    this.access =
        new AccessCheck(
            services.access(),
            services.audit(),
            registry.all(),
            services.cursors(),
            services.operations());
    this.operations = services.operations();
    this.sessions = services.sessions();
    this.failPoints = services.failPoints();
    this.metrics = services.metrics();
    this.accounting = new CommandAccounting(metrics);
    this.clock = services.clock();
    this.random = services.random();
    this.log = services.log().of(LogComponent.COMMAND);
    this.profiler =
        new Profiler(
            services.profiling(),
            services
                .stored()
                .map(
                    store ->
                        new ProfileCollection(
                            services.database(), store.definitions(), store.store()))
                .orElse(null),
            metrics,
            clock,
            log);
    this.settings = services.requestSettings();
    this.scriptEngine = services.scriptEngine().orElse(null);
    this.resumableErrors = new ResumableErrors(services.cursors());
    this.storedFunctions = new StoredFunctions(services.database());
    this.audit =
        new CommandAudit(
            services.audit(), services.stored().isEmpty(), () -> SetConfigurations.of(services));
  }

  /** The commands that there are, sorted by name. */
  public List<CommandSpec> commands() {
    return registry.all();
  }

  /** Sends a reply before the one that a command completes, which is then not sent any more. */
  public interface EarlyReply {
    void send(Consumer<BsonBuilder> body);
  }

  /**
   * Runs a command and completes its reply.
   *
   * @param early null where no reply is expected before the command has ended
   * @return whether the connection may go on; a fail point can ask to close it
   */
  public boolean dispatch(
      CommandRequest received,
      ClientConnection client,
      BooleanSupplier clientGone,
      EarlyReply early,
      BsonBuilder reply) {
    CommandRequest request = received;
    int start = reply.position();
    CommandSpec spec = registry.find(request.name());
    boolean goOn = true;
    CommandException error = null;
    RunningOperation operation = null;
    CommandAudit.Running audited = null;
    try {
      if (spec == null) {
        throw new CommandException(
            ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
      }
      RequestChecks.check(request, spec, runner.takesTransactionNumbers(), settings);
      access.check(request, spec, client);
      if (request.isHelp()) {
        reply.appendString("help", "help for: " + spec.name() + " " + spec.help());
      } else {
        ReservedUse use = ReservedUse.of(spec, request);
        use.check(client);
        audited = audit.begin(spec.name(), request, client);
        CommandRequest named = runner.named(request, spec);
        if (access.isOn()) {
          access.checkNamed(request, named, spec, client);
        }
        request = named;
        operation = start(spec, request, client, clientGone);
        if (early != null) {
          answerEarly(operation, early);
        }
        goOn = run(operation, use, reply);
      }
      FailCommand forced = failPoints.after(spec, request, client);
      if (forced != null) {
        runner.stateChanged(ErrorReply.appendForced(reply, forced, request), reply);
      }
      reply.appendDouble("ok", 1);
    } catch (CommandException e) {
      error = e;
    } catch (RuntimeException | StackOverflowError e) {
      error = e instanceof RuntimeException thrown ? runner.faultOf(thrown) : null;
      if (error == null) {
        error = internalError(e, request, client);
      }
    }
    client.memory().ran();
    error = tell(audited, operation, error);
    if (error != null) {
      reply.truncateToOutermost(start);
      RetryableWrite write = operation == null ? null : operation.context().retryableWrite();
      List<String> labels = ErrorLabels.of(request, write, error);
      ErrorReply.append(reply, error, resumableErrors.label(request, error, labels));
    }
    runner.end(operation == null ? null : operation.context(), ErrorReply.numberOf(error), reply);
    if (spec != null) {
      metrics.command(spec.name(), error != null);
    }
    if (operation != null) {
      OperationContext context = operation.context();
      long nanos = clock.monotonicNanos() - context.startNanos() - context.pausedNanos();
      accounting.ended(operation, nanos);
      profiler.ended(operation, nanos, reply, start);
    }
    return goOn;
  }

  /** The event comes before the reply: without it the command has not succeeded. */
  private CommandException tell(
      CommandAudit.Running audited, RunningOperation operation, CommandException error) {
    int result = ErrorReply.numberOf(error);
    try {
      if (operation != null) {
        audit.created(
            operation.context().writes().created(),
            operation.spec().name(),
            operation.client(),
            result);
      }
      if (audited != null) {
        audited.ended(result);
      }
      return error;
    } catch (CommandException notWritten) {
      return notWritten;
    }
  }

  private static long parsedBytes(CommandSpec spec, CommandRequest request) {
    return spec.is(CommandTrait.ARGUMENTS_STAY_BYTES) ? 0 : request.argumentBytes();
  }

  /** Answers the client of an operation that must stop while its write is in the log's queue. */
  private void answerEarly(RunningOperation operation, EarlyReply early) {
    OperationContext context = operation.context();
    context.earlyAnswer(
        reason ->
            early.send(
                body -> {
                  ErrorReply.append(
                      body,
                      reason,
                      ErrorLabels.of(operation.request(), context.retryableWrite(), reason));
                  runner.end(null, ErrorReply.numberOf(reason), body);
                }));
  }

  private RunningOperation start(
      CommandSpec spec,
      CommandRequest request,
      ClientConnection client,
      BooleanSupplier clientGone) {
    var context = new OperationContext(clock, random, clientGone);
    if (!spec.name().equals("getMore")) {
      // On getMore the limit is how long to wait for new data, not how long to work.
      context.limitMillis(request.maxTimeMillis());
    }
    if (settings.noTableScan()) {
      context.refuseScans();
    }
    context.scriptEngine(scriptEngine, () -> storedFunctions.read(request.database(), context));
    if (request.session() != null) {
      sessions.used(request.session());
    }
    if (request.transactionNumber() != null && !request.isInTransaction()) {
      context.retryableWrite(SessionArguments.retryableWrite(request));
    }
    return operations.start(client, spec, request, context);
  }

  /** False when a fail point wants the connection closed. */
  private boolean run(RunningOperation operation, ReservedUse use, BsonBuilder reply) {
    CommandSpec spec = operation.spec();
    CommandRequest request = operation.request();
    ClientConnection client = operation.client();
    OperationContext context = operation.context();
    FailingCommits failing = null;
    try {
      boolean needsNoWait = use == ReservedUse.RELIEF;
      client.memory().begin(context, needsNoWait, parsedBytes(spec, request));
      FailCommand forced = failPoints.before(spec, request, client);
      if (forced != null) {
        FailPoints.block(forced, context);
        if (forced.closeConnection()) {
          return false;
        }
        if (forced.errorCode() != 0) {
          throw new ForcedErrorException(forced);
        }
      }
      failing = failPoints.failCommitsOf(context.retryableWrite());
      runner.run(operation, reply);
      return failing == null || !failing.closesConnection();
    } catch (CommandException e) {
      if (failing != null && failing.closesConnection()) {
        return false;
      }
      throw e;
    } finally {
      operations.end(operation);
    }
  }

  private CommandException internalError(
      Throwable thrown, CommandRequest request, ClientConnection client) {
    log.withContext(client.description())
        .error(
            INTERNAL_ERROR_LOG_ID,
            "Command failed inside the server",
            thrown,
            "command",
            request.name());
    return new CommandException(ErrorCode.INTERNAL_ERROR, "internal error: " + thrown);
  }
}
