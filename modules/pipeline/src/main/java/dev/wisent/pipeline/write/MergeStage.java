package dev.wisent.pipeline.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code $merge}: each document goes into a collection, by what is there under the same key.
 *
 * @param database null for that of the pipeline
 * @param on the paths of the key; null for {@code _id} without a question
 * @param variables what the pipeline of an update may read, made from the new document
 * @param pipeline the update where documents match; null unless that is what {@code whenMatched}
 *     says
 * @param collation of the pipeline; null for the simple one
 */
public record MergeStage(
    String database,
    String collection,
    List<String> on,
    Map<String, Expression> variables,
    WhenMatched whenMatched,
    RawDocument pipeline,
    WhenNotMatched whenNotMatched,
    Collation collation)
    implements WriteStage {
  static final String NAME = "$merge";

  /** What becomes of a document that is there already. */
  public enum WhenMatched {
    REPLACE("replace"),
    KEEP_EXISTING("keepExisting"),
    MERGE("merge"),
    FAIL("fail"),
    PIPELINE("pipeline");

    private final String text;

    WhenMatched(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /** What is done where there is none. */
  public enum WhenNotMatched {
    INSERT,
    DISCARD,
    FAIL;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** The filter that finds what a document is merged into. */
  public RawDocument filter(RawDocument document) {
    var filter = new BsonBuilder();
    for (String path : mergeOn()) {
      RawValue value = keyValue(document, path);
      if (value == null || value.isNullish()) {
        throw new CommandException(
            ErrorCode.MERGE_KEY_NULL,
            "$merge write error: 'on' field '"
                + path
                + "' cannot be missing, null, undefined or an array");
      }
      if (value.type() == ElementType.REGEX) {
        filter.startDocument(path).append("$eq", value).end();
      } else {
        filter.append(path, value);
      }
    }
    return filter.toDocument();
  }

  /** The paths by which documents are found. */
  public List<String> mergeOn() {
    return on == null ? List.of("_id") : on;
  }

  private static RawValue keyValue(RawDocument document, String path) {
    RawValue value = RawValue.ofDocument(document);
    for (String name : path.split("\\.", -1)) {
      if (!value.isDocument()) {
        return null;
      }
      value = value.asDocument().get(name);
      if (value == null) {
        return null;
      }
      if (value.isArray()) {
        throw new CommandException(
            ErrorCode.MERGE_KEY_ARRAY, "$merge write error: 'on' field '" + path + "' is an array");
      }
    }
    return value;
  }

  /** The variables of the pipeline of an update, for one new document. */
  public RawDocument constants(RawDocument document, WorkMeter meter) {
    var frame = new Frame(meter, document);
    var constants = new BsonBuilder();
    variables.forEach(
        (name, expression) -> {
          RawValue value = expression.evaluate(frame);
          if (value != null) {
            constants.append(name, value);
          }
        });
    return constants.toDocument();
  }

  @Override
  public List<RawDocument> serialize() {
    var out = new BsonBuilder();
    if (database == null) {
      out.appendString("into", collection);
    } else {
      out.startDocument("into").appendString("db", database).appendString("coll", collection).end();
    }
    if (on != null) {
      appendOn(out);
    }
    appendActions(out);
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.WithCollection(database, collection);
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder();
    out.startDocument("into");
    if (database != null) {
      out.appendString("db", database);
    }
    out.appendString("coll", collection).end();
    appendOn(out);
    appendActions(out);
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  private void appendActions(BsonBuilder out) {
    if (!variables.isEmpty()) {
      out.startDocument("let");
      variables.forEach((name, expression) -> out.append(name, expression.serialize()));
      out.end();
    }
    if (pipeline == null) {
      out.appendString("whenMatched", whenMatched.text());
    } else {
      out.appendArray("whenMatched", pipeline);
    }
    out.appendString("whenNotMatched", whenNotMatched.text());
  }

  private void appendOn(BsonBuilder out) {
    List<String> paths = mergeOn();
    if (paths.size() == 1) {
      out.appendString("on", paths.getFirst());
      return;
    }
    out.startArray("on");
    for (int i = 0; i < paths.size(); i++) {
      out.appendString(Integer.toString(i), paths.get(i));
    }
    out.end();
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return DocumentSink.drain(input, run.output().merge(this));
  }
}
