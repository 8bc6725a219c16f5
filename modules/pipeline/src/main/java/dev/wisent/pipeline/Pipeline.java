package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.optimize.NeededFields;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.TextMatch;
import dev.wisent.query.metadata.MetaType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A parsed pipeline.
 *
 * @param source the name of a first stage that makes documents by itself; null for a collection's
 * @param sourceArgument what that stage was given
 * @param stages the other stages, in order
 * @param carried the metadata that results carry, for what comes behind this pipeline
 */
public record Pipeline(
    String source, RawDocument sourceArgument, List<Stage> stages, Set<MetaType> carried) {
  private static final int STAGES_MAX = 1000;

  /** Where a pipeline stands. */
  public enum Place {
    COMMAND,
    /** In an update, which has only some of the stages. */
    UPDATE,
    /** In a stage that runs it over other documents. */
    JOIN,
    /** In a {@code $facet}. */
    FACET,
    /** In the definition of a view. */
    VIEW
  }

  public Pipeline {
    stages = List.copyOf(stages);
    carried = Set.copyOf(carried);
  }

  /** One whose results carry nothing. */
  public Pipeline(String source, RawDocument sourceArgument, List<Stage> stages) {
    this(source, sourceArgument, stages, Set.of());
  }

  public static Pipeline parse(RawDocument array, QueryContext context) {
    return parse(array, context, Place.COMMAND);
  }

  public static Pipeline parse(RawDocument array, QueryContext context, Place place) {
    String source = null;
    RawDocument sourceArgument = RawDocument.EMPTY;
    var stages = new ArrayList<Stage>();
    var names = new ArrayList<String>();
    int length = array.fieldCount();
    if (length > STAGES_MAX) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Pipeline length must be no longer than " + STAGES_MAX + " stages");
    }
    ElementCursor elements = array.elements();
    for (int position = 0; elements.next(); position++) {
      ElementCursor stage = single(elements.value());
      String name = stage.name();
      names.add(name);
      if (SourceStages.contains(name)) {
        StagePositions.checkFacet(name, place);
        StagePositions.checkFirst(name, position);
        SourceStages.checkArgument(name, stage.value());
        source = name;
        sourceArgument = stage.value().asDocument();
      } else {
        StageRow row = row(name, context);
        StagePositions.check(row, position, length, place);
        for (Stage parsed : row.parser().apply(stage.value(), context)) {
          if (!stages.isEmpty()
              && parsed.filter() != null
              && TextMatch.in(parsed.filter()) != null) {
            throw new CommandException(
                ErrorCode.TEXT_MATCH_NOT_FIRST,
                "$match with $text is only allowed as the first pipeline stage");
          }
          if (place == Place.FACET && parsed.notInFacet() != null) {
            throw StagePositions.notInFacet(parsed.notInFacet());
          }
          stages.add(parsed);
        }
      }
    }
    StagePositions.checkChangeStream(names);
    return new Pipeline(source, sourceArgument, stages);
  }

  /** Parses the stages of an update, of which there are only some. */
  public static Pipeline parseForUpdate(RawDocument array, QueryContext context) {
    ElementCursor elements = array.elements();
    while (elements.next()) {
      StagePositions.checkForUpdate(single(elements.value()).name());
    }
    return parse(array, context, Place.UPDATE);
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

  private static StageRow row(String name, QueryContext context) {
    StageRow row = Stages.row(name);
    if (row == null && context.nesting().ofRouter()) {
      row = Stages.internalRow(name);
    }
    if (row != null) {
      return row;
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

  /** The stages as explain shows them. */
  public List<RawDocument> explained() {
    var explained = new ArrayList<RawDocument>();
    if (source != null) {
      explained.add(Stage.explained(source, sourceArgument));
    }
    stages.forEach(stage -> explained.addAll(stage.explained()));
    return explained;
  }

  /** The stages as an array that can be parsed again, as {@link Stage#serialize} says. */
  public RawDocument serialize() {
    var out = new BsonBuilder();
    int count = 0;
    if (source != null) {
      out.appendDocument(count++, Stage.explained(source, sourceArgument));
    }
    for (Stage stage : stages) {
      for (RawDocument document : stage.serialize()) {
        out.appendDocument(count++, document);
      }
    }
    return out.toDocument();
  }

  /** The same with results that carry metadata. */
  public Pipeline carrying(Set<MetaType> metadata) {
    return new Pipeline(source, sourceArgument, stages, metadata);
  }

  /** The stages of this pipeline over what another one makes. */
  public Pipeline after(Pipeline before) {
    if (before.source == null && before.stages.isEmpty()) {
      return this;
    }
    requireInput();
    var all = new ArrayList<>(before.stages);
    all.addAll(stages);
    return before.with(all);
  }

  /** Fails if the first stage reports on the server, and so cannot take documents. */
  public void requireInput() {
    if (source != null) {
      StagePositions.checkFirst(source, 1);
    }
  }

  /** The same with other stages behind the source. */
  public Pipeline with(List<Stage> others) {
    return new Pipeline(source, sourceArgument, others, carried);
  }

  /** Whether the first stage makes the documents, so that no collection is read. */
  public boolean isSource() {
    return !stages.isEmpty() && stages.getFirst().isSource();
  }

  /**
   * The stages from {@code first} on, over documents from somewhere.
   *
   * @param run what the stages may use; to be closed when the stream is no longer needed
   */
  public DocumentStream over(DocumentStream input, int first, StageRun run) {
    var flow = new MetadataFlow(stages, carried);
    DocumentStream stream = input;
    boolean trimmed = false;
    for (int i = first; i < stages.size(); i++) {
      if (!trimmed && !flow.isCarrying(i) && stages.get(i).copiesInput()) {
        stream = trimmed(stream, i);
        trimmed = true;
      }
      stream = flow.open(i, stream, run);
    }
    return stream;
  }

  /** What stages from one on look at. */
  private DocumentStream trimmed(DocumentStream input, int first) {
    Set<String> needed = NeededFields.of(stages.subList(first, stages.size()));
    return needed == null ? input : new TrimmedStream(input, needed);
  }

  /** What documents have to carry that come to a stage; it and those behind it ask for it. */
  public Set<MetaType> metadata(int first) {
    return new MetadataFlow(stages, carried).wanted(first);
  }

  /** The metadata that stages from one on ask for, and those behind them, be it there or not. */
  public Set<MetaType> askedMetadata(int first) {
    var metadata = EnumSet.noneOf(MetaType.class);
    metadata.addAll(carried);
    for (int i = first; i < stages.size(); i++) {
      metadata.addAll(stages.get(i).metadata());
    }
    return metadata;
  }
}
