package dev.wisent.database.output;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.ownership.WriteBlocks;
import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.write.DocumentSink;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A collection that takes the place of another. The documents go into a temporary collection with
 * the options and indexes of the target; in the end it gets the target's name in one step, in which
 * the target goes. Whatever happens before, the target stays as it was, and the temporary
 * collection goes: at once, at the next start, or with the next primary.
 */
final class CollectionReplacement implements DocumentSink {
  private final LocalNamespaces database;
  private final Namespace target;
  private final boolean bypassValidation;
  private final Supplier<OperationContext> operation;
  private final Batch<RawDocument> batch = new Batch<>(this::insert);

  /** The target as it was at first; null if there was none. */
  private CollectionDefinition before;

  private Collection temporary;

  CollectionReplacement(
      LocalNamespaces database,
      Namespace target,
      boolean bypassValidation,
      Supplier<OperationContext> operation) {
    this.database = database;
    this.target = target;
    this.bypassValidation = bypassValidation;
    this.operation = operation;
  }

  private void open() {
    database.ownership().check(target, operation.get());
    database.views().refuse(target);
    Collection replaced = database.catalog().find(target);
    before = replaced == null ? null : replaced.definition();
    if (before != null && before.isCapped()) {
      throw new CommandException(
          ErrorCode.OUT_STAGE_CAPPED,
          "namespace '" + target + "' is capped so it can't be used for $out");
    }
    var options = new BsonBuilder();
    if (before != null) {
      options.appendAll(before.options());
    }
    options.appendBoolean("temp", true); // until it has its name, so that a crash leaves nothing
    UUID unique = operation.get().random().nextUuid();
    var name = new Namespace(target.database(), "tmp.agg_out." + unique);
    temporary = database.changes().create(name, options.toDocument(), operation.get());
    List<RawDocument> indexes = indexes(before).stream().skip(1).toList();
    if (!indexes.isEmpty()) {
      database.changes().addIndexes(temporary, indexes, operation.get());
    }
  }

  /** The first one is on {@code _id}. */
  private static List<RawDocument> indexes(CollectionDefinition definition) {
    return definition == null
        ? List.of()
        : definition.indexes().stream().map(IndexDefinition::spec).toList();
  }

  @Override
  public void add(RawDocument document) {
    if (temporary == null) {
      open();
    }
    batch.add(document.detached(), document.length());
  }

  private void insert(List<RawDocument> documents) {
    var request = new InsertRequest(temporary.namespace(), documents, true, bypassValidation);
    var failures = database.insert(operation.get(), request).failures();
    if (!failures.isEmpty()) {
      throw failures.getFirst().error();
    }
  }

  @Override
  public void complete() {
    if (temporary == null) {
      open();
    }
    batch.flush();
    OperationContext last = operation.get();
    // A coordinator may be about to shard the target, or have done so.
    try (var pass =
        database.ownership().admit(target, WriteBlocks.Length.SHORT, last, database.writeGate())) {
      database
          .changes()
          .exclusively(
              last,
              () -> {
                rename();
                return null;
              });
    }
    temporary = null;
  }

  private void rename() {
    database.views().refuse(target);
    Collection replaced = database.catalog().find(target);
    CollectionDefinition now = replaced == null ? null : replaced.definition();
    RawDocument optionsBefore = before == null ? RawDocument.EMPTY : before.options();
    RawDocument optionsNow = now == null ? RawDocument.EMPTY : now.options();
    if (!optionsBefore.equals(optionsNow)) {
      throw changed("collection options", "options", optionsBefore, optionsNow);
    }
    List<RawDocument> indexesNow = indexes(now);
    if (before != null && !indexes(before).equals(indexesNow)) {
      throw changed("indexes", "indexes", indexes(before), indexesNow);
    }
    database.changes().rename(temporary, target, replaced, operation.get());
  }

  private CommandException changed(String what, String which, Object was, Object is) {
    return new CommandException(
        ErrorCode.COMMAND_FAILED,
        "%s of target collection %s changed while processing. Original %s: %s, new %s: %s"
            .formatted(what, target, which, was, which, is));
  }

  @Override
  public void close() {
    if (temporary == null) {
      return;
    }
    try {
      database.changes().drop(temporary, OperationContext.internal(operation.get().clock()));
    } catch (CommandException e) {
      // Why the pipeline fails is told already. The next start removes it, or the next primary.
    }
  }
}
