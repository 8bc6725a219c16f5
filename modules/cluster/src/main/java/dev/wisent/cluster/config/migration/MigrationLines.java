package dev.wisent.cluster.config.migration;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogWriter;
import java.util.List;

/** What the changelog tells of a migration that has come to its end, with MongoDB's names. */
final class MigrationLines {
  private MigrationLines() {}

  static List<CatalogWriter.Entry> ofCommit(MoveRange move, RawDocument data) {
    long documents = DocumentFields.number(data, "clonedDocs");
    long bytes = DocumentFields.number(data, "clonedBytes");
    BsonBuilder commit = move.details();
    commit.startDocument("counts").appendInt64("cloned", documents);
    commit.appendInt64("clonedBytes", bytes).end();
    return List.of(
        new CatalogWriter.Entry("moveChunk.commit", move.namespace(), commit.toDocument()),
        new CatalogWriter.Entry("moveChunk.from", move.namespace(), steps(move, data, "steps")),
        new CatalogWriter.Entry(
            "moveChunk.to", move.namespace(), steps(move, data, "recipientSteps")));
  }

  /**
   * One line with MongoDB's name for an error, and the one of the donor, of which {@code
   * sh.status()} counts the failures by their messages.
   *
   * @param failure null where it is not known
   */
  static List<CatalogWriter.Entry> ofFailure(MoveRange move, CommandException failure) {
    BsonBuilder out = move.details();
    if (failure != null) {
      out.appendString("errmsg", failure.getMessage());
      out.appendInt32("code", failure.code().code());
    }
    RawDocument details = out.appendString("note", "aborted").toDocument();
    return List.of(
        new CatalogWriter.Entry("moveChunk.error", move.namespace(), details),
        new CatalogWriter.Entry("moveChunk.from", move.namespace(), details));
  }

  /** The time of each step in milliseconds, numbered as in MongoDB, and what the steps are. */
  private static RawDocument steps(MoveRange move, RawDocument data, String field) {
    BsonBuilder out = move.details();
    RawDocument steps = DocumentFields.document(data, field);
    int count = steps.fieldCount();
    int number = 1;
    for (ElementCursor each = steps.elements(); each.next(); ) {
      out.append("step %d of %d".formatted(number++, count), each.value());
    }
    out.startArray("steps");
    number = 0;
    for (ElementCursor each = steps.elements(); each.next(); ) {
      out.appendString(Integer.toString(number++), each.name());
    }
    out.end();
    return out.appendString("note", "success").toDocument();
  }
}
