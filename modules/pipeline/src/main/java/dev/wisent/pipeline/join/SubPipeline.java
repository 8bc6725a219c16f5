package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Pipeline.Place;
import dev.wisent.pipeline.SourceStages;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.Stages;
import dev.wisent.query.context.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The pipeline of a stage that runs it over other documents.
 *
 * @param stages as they were written
 * @param variables those that the stage gives it
 * @param context what it is parsed with, but for the variables
 * @param template parsed without the values of the variables; good for looking at, and for running
 *     where no stage reads one
 */
record SubPipeline(
    List<RawDocument> stages, List<String> variables, QueryContext context, Pipeline template) {
  /** Stages and operators that give something else each time. */
  private static final Set<String> RANDOM = Set.of("$rand", "$sample", "$sampleRate");

  /** Stages that read what no other stage can give them. */
  private static final Set<String> FIRST = Set.of("$documents", "$geoNear");

  /**
   * @param notAllowed the code of the complaint about stages that may not be in it
   */
  static SubPipeline parse(
      String owner,
      ErrorCode notAllowed,
      RawDocument array,
      List<String> variables,
      QueryContext outer) {
    QueryContext context = outer.deeper();
    var stages = new ArrayList<RawDocument>();
    ElementCursor elements = array.elements();
    while (elements.next()) {
      RawValue stage = elements.value();
      // What is no stage is complained about below.
      if (stage.isDocument() && !Stages.mayBeInOthers(name(stage.asDocument()))) {
        throw new CommandException(
            notAllowed,
            name(stage.asDocument()) + " is not allowed within a " + owner + "'s sub-pipeline");
      }
      if (stage.isDocument()) {
        stages.add(stage.asDocument());
      }
    }
    Pipeline template = Pipeline.parse(array, context.declaring(variables), Place.JOIN);
    SourceStages.checkOnCollection(template.source());
    return new SubPipeline(List.copyOf(stages), List.copyOf(variables), context, template);
  }

  /** The pipeline that a stage has as an argument. */
  static RawDocument array(RawValue argument) {
    if (!argument.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "'pipeline' option must be specified as an array");
    }
    return argument.asDocument();
  }

  static String name(RawDocument stage) {
    ElementCursor fields = stage.elements();
    return fields.next() ? fields.name() : "";
  }

  /** The same with a filter at the end. */
  SubPipeline with(MatchStage match) {
    var documents = new ArrayList<>(stages);
    documents.addAll(match.serialize());
    var parsed = new ArrayList<>(template.stages());
    parsed.add(match);
    return new SubPipeline(List.copyOf(documents), variables, context, template.with(parsed));
  }

  /** Whether it begins with a stage that nothing may come before. */
  boolean hasFirstStage() {
    return !stages.isEmpty() && FIRST.contains(name(stages.getFirst()));
  }

  /** Whether it asks for what documents carry only where they are found. */
  boolean asksForMetadata() {
    return !template.askedMetadata(0).isEmpty();
  }

  /** Whether it cannot be run over documents that others have found. */
  boolean readsByItself() {
    return hasFirstStage() || asksForMetadata();
  }

  /** What of it may not be in a {@code $facet}, in words; null for nothing. */
  String notInFacet(String owner) {
    for (RawDocument stage : stages) {
      if (!Stages.mayBeInFacet(name(stage))) {
        return name(stage) + " inside of " + owner;
      }
    }
    return template.stages().stream()
        .map(Stage::notInFacet)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** How many of the first stages give the same every time. */
  int constantStages() {
    int count = 0;
    while (count < stages.size() && !varies(stages.get(count))) {
      count++;
    }
    return count;
  }

  /** Whether the template is what it is for every document. */
  boolean isConstant() {
    return variables.isEmpty() || constantStages() == stages.size();
  }

  private boolean varies(RawDocument document) {
    ElementCursor fields = document.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      boolean found =
          RANDOM.contains(fields.name())
              || (value.isString() && namesVariable(value.asString()))
              || ((value.isDocument() || value.isArray()) && varies(value.asDocument()));
      if (found) {
        return true;
      }
    }
    return false;
  }

  private boolean namesVariable(String text) {
    return text.startsWith("$$")
        && variables.stream().anyMatch(name -> text.startsWith(name, "$$".length()));
  }

  /**
   * What it is parsed with for one document.
   *
   * @param values the variables that the stage gives it, as {@code let} has them
   */
  QueryContext context(RawDocument values) {
    return values.isEmpty()
        ? context
        : context.withLet(
            new BsonBuilder().appendAll(context.let()).appendAll(values).toDocument());
  }

  /** The stages from one on, parsed with variables. */
  Pipeline parse(int first, int end, QueryContext with) {
    return Pipeline.parse(array(stages.subList(first, end)), with, Place.JOIN);
  }

  static RawDocument array(List<RawDocument> stages) {
    var out = new BsonBuilder();
    for (int i = 0; i < stages.size(); i++) {
      out.appendDocument(i, stages.get(i));
    }
    return out.toDocument();
  }

  /** The stages as explain shows them, as an array. */
  RawDocument explained() {
    return array(template.explained());
  }
}
