package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.DocumentRules;
import dev.wisent.database.session.OperationState;
import dev.wisent.database.session.RetryableStatements;
import dev.wisent.database.session.RetryableStatements.Recording;
import dev.wisent.database.write.MatchedRecords.Selection;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateParsing;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.update.Replacement;
import dev.wisent.query.update.Update;
import dev.wisent.query.update.UpdateContext;
import dev.wisent.query.update.UpdateOutcome;
import java.util.List;

/** Runs updates: of one document, of all that match, or an upsert. */
public final class UpdateExecutor {
  private static final int UNIT_CHANGES_MAX = 500;

  private final WriteAccess access;
  private final MatchedRecords records;
  private final UpsertExecutor upserts;

  public UpdateExecutor(WriteAccess access, InsertExecutor inserts) {
    this.access = access;
    this.records = new MatchedRecords(access, UNIT_CHANGES_MAX);
    this.upserts = new UpsertExecutor(access, inserts, this);
  }

  /**
   * A document before and after its update; both null where nothing was found.
   *
   * @param moved whether it belongs to another shard now
   */
  record Changed(RawDocument before, RawDocument after, RawValue upsertedId, boolean moved) {
    static final Changed NOTHING = new Changed(null, null, null, false);

    static Changed inserted(RawDocument document) {
      return new Changed(null, document, document.get("_id"), false);
    }

    /** Has the router insert a document that has moved. */
    void noteMove(int index, OperationContext operation) {
      if (moved) {
        OperationState.moves(operation).add(index, after);
      }
    }
  }

  public WriteOutcome update(OperationContext operation, UpdateRequest request) {
    var outcome = new WriteOutcome();
    RetryableStatements retryable = OperationState.statements(operation);
    List<UpdateStatement> statements = request.statements();
    for (int i = 0; i < statements.size(); i++) {
      operation.checkInterrupt();
      try {
        UpdateStatement statement = statements.get(i);
        if (retryable != null && isDone(retryable, statement, i)) {
          repeat(retryable, i, outcome);
        } else {
          run(statement, i, request, operation, outcome);
        }
      } catch (CommandException e) {
        outcome.addFailure(i, e);
        if (Conflicts.endsBatch(e, request.ordered(), operation)) {
          break;
        }
      }
    }
    return outcome;
  }

  private static boolean isDone(
      RetryableStatements retryable, UpdateStatement statement, int index) {
    if (statement.multi()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "Cannot use (or request) retryable writes with multi=true");
    }
    return retryable.begin(index, Recording.UPSERTED_ID);
  }

  /** Says again what a statement did. */
  private static void repeat(RetryableStatements done, int position, WriteOutcome outcome) {
    RawValue upsertedId = done.result() == null ? null : done.result().get("_id");
    if (upsertedId == null) {
      outcome.addMatched(1);
      outcome.addModified(1);
    } else {
      outcome.addUpserted(position, upsertedId);
    }
    outcome.addRetried(done.statementId());
  }

  private void run(
      UpdateStatement statement,
      int position,
      UpdateRequest request,
      OperationContext operation,
      WriteOutcome outcome) {
    UpdateContext context = access.context(operation, request.namespace(), statement.collation());
    Update update = UpdateParsing.parse(statement, context, operation);
    var counts = new Counts();
    if (statement.multi()) {
      records.changeAll(
          request.namespace(),
          selection(statement),
          operation,
          collection ->
              change(collection, statement, update, request.bypassValidation(), operation),
          counts::add);
    } else {
      Changed changed =
          updateOne(request.namespace(), statement, update, request.bypassValidation(), operation);
      changed.noteMove(position, operation);
      counts.add(changed);
    }
    outcome.addMatched(counts.matched);
    outcome.addModified(counts.modified);
    if (counts.matched == 0 && statement.upsert()) {
      Changed inserted =
          upsert(request.namespace(), statement, update, request.bypassValidation(), operation);
      if (inserted.upsertedId() != null) {
        outcome.addUpserted(position, inserted.upsertedId());
      } else {
        inserted.noteMove(position, operation);
        counts.add(inserted);
        outcome.addMatched(1);
        outcome.addModified(counts.modified);
      }
    }
  }

  private static final class Counts {
    private long matched;
    private long modified;

    void add(Changed changed) {
      if (changed.before() != null) {
        matched++;
        modified += changed.after() == changed.before() ? 0 : 1;
      }
    }
  }

  /** Updates the first document that matches, if there is one. */
  Changed updateOne(
      Namespace namespace,
      UpdateStatement statement,
      Update update,
      boolean bypassValidation,
      OperationContext operation) {
    return access.inCollection(
        namespace,
        false,
        operation,
        collection ->
            collection == null
                ? Changed.NOTHING
                : updateFirst(collection, statement, update, bypassValidation, operation));
  }

  private Changed updateFirst(
      Collection collection,
      UpdateStatement statement,
      Update update,
      boolean bypassValidation,
      OperationContext operation) {
    Changed changed =
        records.changeFirst(
            collection,
            selection(statement),
            operation,
            change(collection, statement, update, bypassValidation, operation));
    return changed == null ? Changed.NOTHING : changed;
  }

  private static MatchedRecords.Change<Changed> change(
      Collection collection,
      UpdateStatement statement,
      Update update,
      boolean bypassValidation,
      OperationContext operation) {
    return (unit, finder, before) -> {
      DocumentRules rules =
          bypassValidation ? DocumentRules.NONE : collection.rules().under(operation);
      return apply(unit, finder, before, statement, update, rules);
    };
  }

  private static Changed apply(
      WriteUnit unit,
      RecordFinder finder,
      RawDocument before,
      UpdateStatement statement,
      Update update,
      DocumentRules rules) {
    MatchDetails details = update.needsMatchDetails() ? finder.detailsOf(before) : null;
    UpdateOutcome outcome = applied(update, before, details);
    if (!outcome.modified()) {
      return new Changed(before, before, null, false);
    }
    RawDocument after = outcome.document();
    boolean moves = unit.guard().checkUpdate(statement, before, after);
    rules.checkUpdate(before, after);
    if (moves) {
      unit.move(finder.recordId(), before, after);
    } else {
      unit.update(finder.recordId(), before, outcome, update instanceof Replacement);
    }
    return new Changed(before, after, null, moves);
  }

  /** Errors of applying an update say so, as in MongoDB; those of parsing it do not. */
  private static UpdateOutcome applied(Update update, RawDocument before, MatchDetails positional) {
    try {
      return update.apply(before, positional, false);
    } catch (CommandException e) {
      throw new CommandException(
          e.code(),
          "Plan executor error during update :: caused by :: " + e.getMessage(),
          e.labels());
    }
  }

  private static Selection selection(UpdateStatement statement) {
    return new Selection(
        statement.query(), statement.sort(), statement.hint(), statement.collation());
  }

  /** Inserts the document that an upsert describes, or updates the one that is there by now. */
  Changed upsert(
      Namespace namespace,
      UpdateStatement statement,
      Update update,
      boolean bypassValidation,
      OperationContext operation) {
    return upserts.upsert(namespace, statement, update, bypassValidation, operation);
  }
}
