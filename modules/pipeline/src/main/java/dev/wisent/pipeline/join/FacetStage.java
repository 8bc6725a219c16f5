package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Pipeline.Place;
import dev.wisent.pipeline.PipelineSplit;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Values;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code $facet}: one document with what several pipelines make of the same documents. */
public record FacetStage(List<Facet> facets) implements Stage {
  private static final String NAME = "$facet";

  /** A pipeline and the field for its results. */
  public record Facet(String name, Pipeline pipeline) {}

  static FacetStage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument() || argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.FACET_STAGE_ARGUMENT,
          "the $facet specification must be a non-empty object, but found: $facet: "
              + ValueText.of(argument));
    }
    var facets = new ArrayList<Facet>();
    ElementCursor fields = argument.elements();
    while (fields.next()) {
      String name = fields.name();
      try {
        FieldPath.requireFieldName(name);
      } catch (CommandException e) {
        throw e.during(
            "$facet pipeline names must follow the naming rules of field path expressions.");
      }
      checkStages(name, fields.value());
      Pipeline pipeline = Pipeline.parse(fields.value().asDocument(), context, Place.FACET);
      facets.add(new Facet(name, pipeline));
    }
    return new FacetStage(List.copyOf(facets));
  }

  private static void checkStages(String name, RawValue value) {
    if (!value.isArray()) {
      throw new CommandException(
          ErrorCode.FACET_STAGE_NOT_ARRAY,
          "arguments to $facet must be arrays, " + name + " is type " + Values.typeName(value));
    }
    ElementCursor elements = value.elements();
    for (int i = 0; elements.next(); i++) {
      RawValue stage = elements.value();
      if (!stage.isDocument()) {
        throw new CommandException(
            ErrorCode.FACET_STAGE_NOT_STAGES,
            "elements of arrays in $facet spec must be non-empty objects, "
                + name
                + " argument contained an element of type "
                + Values.typeName(stage)
                + ": "
                + i
                + ": "
                + ValueText.of(stage));
      }
    }
  }

  @Override
  public boolean dropsMetadata() {
    return true;
  }

  @Override
  public List<RawDocument> serialize() {
    var out = new BsonBuilder();
    for (Facet facet : facets) {
      out.appendArray(facet.name(), facet.pipeline().serialize());
    }
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  @Override
  public StageSplit split(QueryContext context) {
    List<Stage> all = facets.stream().flatMap(facet -> facet.pipeline().stages().stream()).toList();
    return new StageSplit.AtMerge(PipelineSplit.siteOf(all, context));
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder();
    for (Facet facet : facets) {
      out.startArray(facet.name());
      out.startDocument(0).startDocument("$internalFacetTeeConsumer").end().end();
      int count = 1;
      for (RawDocument explained : facet.pipeline().explained()) {
        out.appendDocument(count++, explained);
      }
      out.end();
    }
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    for (Facet facet : facets) {
      Sight sight = Sight.OF_INPUT;
      for (Stage stage : facet.pipeline().stages()) {
        sight = stage.addDependencies(dependencies);
        if (sight == Sight.OF_RESULT) {
          break;
        }
      }
      if (sight == Sight.OF_INPUT) {
        dependencies.addWholeDocument();
      }
    }
    return Sight.OF_RESULT;
  }

  @Override
  public Set<MetaType> metadata() {
    var metadata = EnumSet.noneOf(MetaType.class);
    facets.forEach(facet -> metadata.addAll(facet.pipeline().metadata(0)));
    return metadata;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new FacetStream(facets, !metadata().isEmpty(), input, run);
  }
}
