package dev.wisent.tools.restore;

import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** A collection on its way. Its state is read by the thread that tells what is missing. */
final class CollectionRestore {
  /** How far it is. */
  enum State {
    WAITING,
    UNDER_WAY,
    DOCUMENTS_DONE,
    DONE
  }

  private final DumpedCollection dumped;
  private final String database;
  private final String name;
  private final List<BsonDocument> indexes;

  private volatile State state = State.WAITING;
  private volatile InsertPipeline pipeline;
  private volatile String failure;

  /**
   * @param target database and name, after renaming
   */
  CollectionRestore(DumpedCollection dumped, String target) {
    this.dumped = dumped;
    int dot = target.indexOf('.');
    this.database = target.substring(0, dot);
    this.name = target.substring(dot + 1);
    this.indexes = new ArrayList<>(dumped.metadata().indexes());
  }

  DumpedCollection dumped() {
    return dumped;
  }

  String database() {
    return database;
  }

  String name() {
    return name;
  }

  /** Those to be built; an oplog that is replayed changes them. */
  List<BsonDocument> indexes() {
    return indexes;
  }

  boolean isView() {
    return dumped.metadata().isView();
  }

  void begin(InsertPipeline inserts) {
    pipeline = inserts;
    state = State.UNDER_WAY;
  }

  void submit(List<RawBsonDocument> documents) throws ToolException {
    pipeline.submit(documents);
  }

  void finish() throws ToolException {
    pipeline.finish();
    state = State.DOCUMENTS_DONE;
  }

  /** Ends inserts that are under way, if there are any. */
  void stop() {
    if (state == State.UNDER_WAY) {
      pipeline.stop();
    }
  }

  void done() {
    state = State.DONE;
  }

  /** Something beside the documents failed. */
  void fail(String why) {
    failure = why;
  }

  long inserted() {
    return pipeline == null ? 0 : pipeline.inserted();
  }

  long present() {
    return pipeline == null ? 0 : pipeline.present();
  }

  long failed() {
    return pipeline == null ? 0 : pipeline.failed();
  }

  /** What is not as in the dump, if anything. */
  Optional<String> missing() {
    if (failure != null) {
      return Optional.of(failure);
    }
    return switch (state) {
      case WAITING -> Optional.of(isView() ? "the view" : "everything");
      case UNDER_WAY ->
          Optional.of(
              "documents and indexes; so far %d restored, %d there already, %d failed"
                  .formatted(inserted(), present(), failed()));
      case DOCUMENTS_DONE -> Optional.of("indexes");
      case DONE -> Optional.empty();
    };
  }

  @Override
  public String toString() {
    return database + "." + name;
  }
}
