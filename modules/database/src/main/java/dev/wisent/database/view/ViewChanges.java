package dev.wisent.database.view;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.QueryContexts;
import dev.wisent.operation.UpdateRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Pipeline.Place;
import dev.wisent.pipeline.changestream.ChangeStreamStage;
import dev.wisent.pipeline.write.WriteStage;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Writes views down: one at a time, and none beside a change of the catalog. Thread-safe. */
public final class ViewChanges {
  private final Catalog catalog;
  private final CatalogChanges changes;
  private final Views views;
  private final Operations documents;

  /**
   * @param documents changes those that views are
   */
  public ViewChanges(Catalog catalog, CatalogChanges changes, Views views, Operations documents) {
    this.catalog = catalog;
    this.changes = changes;
    this.views = views;
    this.documents = documents;
  }

  /** Creates a view; fails if the name is taken. */
  public void create(ViewDefinition view, OperationContext operation) {
    check(view, operation);
    exclusively(
        operation,
        () -> {
          Namespace name = view.namespace();
          if (catalog.find(name) != null || views.find(name) != null) {
            throw new CommandException(
                ErrorCode.NAMESPACE_EXISTS, "namespace " + name + " already exists");
          }
          ViewGraph.check(view, views.inDatabase(name.database()));
          Namespace stored = Views.collectionOf(name.database());
          return documents.insert(
              operation, new InsertRequest(stored, List.of(view.encode()), true, true));
        });
  }

  /** Changes what a view is; that is computed while nothing else changes it. */
  public void modify(
      Namespace name, UnaryOperator<ViewDefinition> change, OperationContext operation) {
    exclusively(
        operation,
        () -> {
          ViewDefinition before = views.find(name);
          if (before == null) {
            throw new CommandException(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist: " + name);
          }
          ViewDefinition after = change.apply(before);
          check(after, operation);
          ViewGraph.check(after, views.inDatabase(name.database()));
          var statement =
              new UpdateStatement(
                  byName(name),
                  RawValue.ofDocument(after.encode()),
                  false,
                  false,
                  List.of(),
                  RawDocument.EMPTY,
                  null);
          Namespace stored = Views.collectionOf(name.database());
          return documents.update(
              operation, new UpdateRequest(stored, List.of(statement), true, true));
        });
  }

  /** Drops a view, unless that is done already. */
  public void drop(Namespace name, OperationContext operation) {
    exclusively(
        operation,
        () ->
            documents.delete(
                operation,
                new DeleteRequest(
                    Views.collectionOf(name.database()),
                    List.of(new DeleteStatement(byName(name), false, null)),
                    true)));
  }

  private static RawDocument byName(Namespace name) {
    return new BsonBuilder().appendString("_id", name.full()).toDocument();
  }

  /** As with other changes of definitions, the outcome is durable before it is told. */
  private void exclusively(OperationContext operation, Supplier<WriteOutcome> write) {
    WriteOutcome outcome = changes.exclusively(operation, write);
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
    if (operation.hasWritten()) {
      OperationState.lastCommit(operation).awaitDurable();
    }
  }

  private static void check(ViewDefinition view, OperationContext operation) {
    Namespace on = view.on();
    if (on.collection().isEmpty()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "'viewOn' cannot be empty");
    }
    Namespace.inCheckedDatabase(on.database(), on.collection());
    Pipeline pipeline =
        Pipeline.parse(view.pipeline(), QueryContexts.of(operation, view.collation()), Place.VIEW);
    if (ChangeStreamStage.of(pipeline) != null) {
      throw new CommandException(
          ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
          "Invalid pipeline for view %s :: caused by :: $changeStream cannot be used in a view"
                  .formatted(view.namespace())
              + " definition");
    }
    WriteStage writes = WriteStage.of(pipeline);
    if (writes != null) {
      throw new CommandException(
          ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
          "Invalid pipeline for view %s :: caused by :: The aggregation stage %s in location %d of the pipeline cannot be used in the view definition of %s because it writes to disk"
              .formatted(
                  view.namespace(),
                  writes.name(),
                  view.pipeline().fieldCount() - 1,
                  view.namespace()));
    }
  }
}
