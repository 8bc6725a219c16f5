package dev.wisent.query.aggregate;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.QueryContext;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.sort.SortSpace;
import dev.wisent.query.text.TextScore;
import java.util.ArrayList;
import java.util.List;

/**
 * A parsed pipeline.
 *
 * @param source the name of a first stage that makes documents by itself; null for a collection's
 * @param sourceArgument what that stage was given
 * @param stages the other stages, in order
 */
public record Pipeline(String source, RawDocument sourceArgument, List<Stage> stages) {
  private static final int STAGES_MAX = 1000;

  public static Pipeline parse(RawDocument array, QueryContext context) {
    String source = null;
    RawDocument sourceArgument = RawDocument.EMPTY;
    var stages = new ArrayList<Stage>();
    ElementCursor elements = array.elements();
    for (int position = 0; elements.next(); position++) {
      if (position == STAGES_MAX) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "Pipeline length must be no longer than " + STAGES_MAX + " stages");
      }
      ElementCursor stage = single(elements.value());
      String name = stage.name();
      if (Stages.isSource(name)) {
        checkSource(name, position, stage.value());
        source = name;
        sourceArgument = stage.value().asDocument();
      } else {
        if (name.equals(GeoNearStage.NAME)) {
          checkFirst(name, position);
        }
        Stage parsed = stage(name, stage.value(), context);
        if (position > 0 && parsed.filter() != null && TextMatch.in(parsed.filter()) != null) {
          throw new CommandException(
              ErrorCode.TEXT_MATCH_NOT_FIRST,
              "$match with $text is only allowed as the first pipeline stage");
        }
        stages.add(parsed);
      }
    }
    return new Pipeline(source, sourceArgument, List.copyOf(stages));
  }

  /** Parses the stages of an update, of which there are only some. */
  public static Pipeline parseForUpdate(RawDocument array, QueryContext context) {
    ElementCursor elements = array.elements();
    while (elements.next()) {
      String name = single(elements.value()).name();
      if (!Stages.isForUpdates(name) && Stages.isKnown(name)) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS, name + " is not allowed to be used within an update");
      }
    }
    return parse(array, context);
  }

  private static ElementCursor single(RawValue entry) {
    if (!entry.isDocument()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "Each element of the 'pipeline' array must be an object");
    }
    ElementCursor fields = entry.elements();
    if (!fields.next() || entry.asDocument().fieldCount() != 1) {
      throw new CommandException(
          ErrorCode.PIPELINE_STAGE_FIELDS,
          "A pipeline stage specification object must contain exactly one field.");
    }
    return fields;
  }

  private static void checkSource(String name, int position, RawValue argument) {
    checkFirst(name, position);
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, name + " options must be specified in an object");
    }
  }

  private static void checkFirst(String name, int position) {
    if (position > 0) {
      throw new CommandException(
          ErrorCode.STAGE_MUST_BE_FIRST, name + " is only valid as the first stage in a pipeline");
    }
  }

  private static Stage stage(String name, RawValue argument, QueryContext context) {
    var parser = Stages.parser(name);
    if (parser != null) {
      return parser.apply(argument, context);
    }
    if (Stages.isSearch(name)) {
      throw new CommandException(
          ErrorCode.SEARCH_NOT_ENABLED, name + " needs a search server, which Wisent has not");
    }
    if (Stages.isRefused(name)) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, name + " is not supported yet");
    }
    throw new CommandException(
        ErrorCode.UNRECOGNIZED_PIPELINE_STAGE, "Unrecognized pipeline stage name: '" + name + "'");
  }

  /**
   * The stages from {@code first} on, over documents from somewhere.
   *
   * @param space what sorts may use; to be closed when the stream is no longer needed
   */
  public DocumentStream over(DocumentStream input, int first, SortSpace space) {
    int lastScored = lastScored();
    DocumentStream stream = input;
    for (int i = first; i < stages.size(); i++) {
      stream =
          i < lastScored && makesOneOfOne(stages.get(i))
              ? new CarriedScore(stages.get(i), stream, space)
              : stages.get(i).over(stream, space);
      if (i == lastScored) {
        stream = withoutScores(stream);
      }
    }
    return stream;
  }

  /** The last stage that asks for the scores of a text search; -1 if none does. */
  private int lastScored() {
    for (int i = stages.size() - 1; i >= 0; i--) {
      if (stages.get(i).needsTextScore()) {
        return i;
      }
    }
    return -1;
  }

  /** Whether stages from one on ask for the scores of a text search. */
  public boolean needsTextScores(int first) {
    return lastScored() >= first;
  }

  /** A sort keeps documents as they are, and groups have no score. */
  private static boolean makesOneOfOne(Stage stage) {
    return !(stage instanceof SortStage
        || stage instanceof GroupStage
        || stage instanceof CountStage);
  }

  private static DocumentStream withoutScores(DocumentStream scored) {
    return () -> {
      RawDocument document = scored.next();
      return document == null ? null : TextScore.remove(document);
    };
  }
}
