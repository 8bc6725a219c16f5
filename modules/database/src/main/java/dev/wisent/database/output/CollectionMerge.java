package dev.wisent.database.output;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ObjectIds;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.MergeStage.WhenMatched;
import dev.wisent.pipeline.write.MergeStage.WhenNotMatched;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Puts documents into a collection one by one, each by what is there under the same key. What was
 * written before a failure stays, as in MongoDB.
 */
final class CollectionMerge implements DocumentSink {
  private final LocalNamespaces database;
  private final Namespace target;
  private final MergeStage stage;
  private final boolean bypassValidation;
  private final Supplier<OperationContext> operation;
  private final ObjectIds ids;
  private final Batch<Write> batch = new Batch<>(this::write);

  /**
   * @param filter finds what it is merged into; null where it is inserted anyway
   */
  private record Write(RawDocument document, RawDocument filter) {}

  CollectionMerge(
      LocalNamespaces database,
      Namespace target,
      MergeStage stage,
      boolean bypassValidation,
      Supplier<OperationContext> operation) {
    this.database = database;
    this.target = target;
    this.stage = stage;
    this.bypassValidation = bypassValidation;
    this.operation = operation;
    this.ids = new ObjectIds(operation.get().clock(), operation.get().random());
    if (stage.on() != null) {
      requireUnique();
    }
  }

  /** At most one document must match; where there is no collection yet, none does. */
  private void requireUnique() {
    var paths = new HashSet<>(stage.on());
    Collection collection = database.catalog().find(target);
    boolean unique =
        collection == null
            ? paths.equals(Set.of("_id"))
            : collection.indexes().stream().anyMatch(index -> isUniqueOn(index, paths));
    if (!unique) {
      throw new CommandException(
          ErrorCode.MERGE_ON_WITHOUT_INDEX,
          "Cannot find index to verify that join fields will be unique");
    }
  }

  private boolean isUniqueOn(Index index, Set<String> paths) {
    if (!index.isUnique()
        || index.kind() != Index.Kind.ORDERED
        || index.partialFilter() != null
        || !Collation.same(index.collation(), stage.collation())) {
      return false;
    }
    var fields = new HashSet<String>();
    for (int i = 0; i < index.fieldCount(); i++) {
      fields.add(index.path(i).dotted());
    }
    return fields.equals(paths);
  }

  @Override
  public void add(RawDocument given) {
    RawDocument document = withId(given);
    boolean insert = stage.whenMatched() == WhenMatched.FAIL;
    RawDocument filter = stage.filter(document);
    batch.add(new Write(document, insert ? null : filter), document.length());
  }

  /** A key of its own for a document that is to be found by its {@code _id} and has none. */
  private RawDocument withId(RawDocument document) {
    return document.get("_id") == null && stage.mergeOn().contains("_id")
        ? new BsonBuilder().appendObjectId("_id", ids.get()).appendAll(document).toDocument()
        : document.detached();
  }

  private void write(List<Write> writes) {
    database.views().refuse(target);
    if (stage.whenMatched() == WhenMatched.FAIL) {
      check(insert(writes.stream().map(Write::document).toList()));
    } else if (stage.pipeline() != null && stage.whenNotMatched() == WhenNotMatched.INSERT) {
      writes.forEach(this::updateOrInsert);
    } else {
      updateAll(writes);
    }
  }

  private void updateAll(List<Write> writes) {
    WriteOutcome outcome = update(writes);
    boolean fails = stage.whenNotMatched() == WhenNotMatched.FAIL;
    // A document that would change the _id of the one that it matches counts as one without match.
    if (!fails || !hasFailed(outcome, ErrorCode.IMMUTABLE_FIELD)) {
      check(outcome);
    }
    if (fails && outcome.matched() < writes.size()) {
      throw new CommandException(
          ErrorCode.MERGE_STAGE_NO_MATCHING_DOCUMENT,
          "$merge could not find a matching document in the target collection for at least one"
              + " document in the source collection");
    }
  }

  private static boolean hasFailed(WriteOutcome outcome, ErrorCode code) {
    return !outcome.failures().isEmpty() && outcome.failures().getFirst().error().code() == code;
  }

  /**
   * The pipeline is for documents that are there; the new one is inserted as it is. If another
   * writer inserts one in between, it is there now.
   */
  private void updateOrInsert(Write write) {
    if (updated(write)) {
      return;
    }
    WriteOutcome inserted = insert(List.of(write.document()));
    if (!hasFailed(inserted, ErrorCode.DUPLICATE_KEY) || !updated(write)) {
      check(inserted);
    }
  }

  private boolean updated(Write write) {
    WriteOutcome outcome = update(List.of(write));
    check(outcome);
    return outcome.matched() > 0;
  }

  private WriteOutcome insert(List<RawDocument> documents) {
    return database.insert(
        operation.get(), new InsertRequest(target, documents, false, bypassValidation));
  }

  private WriteOutcome update(List<Write> writes) {
    List<UpdateStatement> statements = writes.stream().map(this::statement).toList();
    return database.update(
        operation.get(), new UpdateRequest(target, statements, false, bypassValidation));
  }

  private UpdateStatement statement(Write write) {
    boolean upsert = stage.pipeline() == null && stage.whenNotMatched() == WhenNotMatched.INSERT;
    return new UpdateStatement(
        write.filter(),
        change(write.document()),
        false,
        upsert,
        List.of(),
        RawDocument.EMPTY,
        null,
        stage.pipeline() == null ? RawDocument.EMPTY : constants(write.document()),
        CollationChoice.INHERITED);
  }

  private RawDocument constants(RawDocument document) {
    return stage.constants(document, operation.get().query().meter());
  }

  private RawValue change(RawDocument document) {
    return switch (stage.whenMatched()) {
      case REPLACE, FAIL -> RawValue.ofDocument(document);
      case MERGE -> modifier("$set", document);
      case KEEP_EXISTING -> modifier("$setOnInsert", document);
      case PIPELINE -> RawValue.ofArray(stage.pipeline());
    };
  }

  private static RawValue modifier(String name, RawDocument document) {
    return RawValue.ofDocument(new BsonBuilder().appendDocument(name, document).toDocument());
  }

  private static void check(WriteOutcome outcome) {
    if (outcome.failures().isEmpty()) {
      return;
    }
    CommandException error = outcome.failures().getFirst().error();
    throw switch (error.code()) {
      case DUPLICATE_KEY -> error.during("$merge failed due to a DuplicateKey error");
      case IMMUTABLE_FIELD ->
          error.during(
              "$merge failed to update the matching document, did you attempt to modify the _id or"
                  + " the shard key?");
      default -> error;
    };
  }

  @Override
  public void complete() {
    batch.flush();
  }

  @Override
  public void close() {}
}
