package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.match.DocumentFilter;
import dev.wisent.query.match.FilterPlace;
import dev.wisent.query.match.MatchDocument;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.match.MatchSource;
import java.util.List;

/** {@code $match}. */
public record MatchStage(RawDocument source, MatchExpression filter) implements Stage {
  public static MatchStage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.MATCH_STAGE_NOT_OBJECT, "the match filter must be an expression in an object");
    }
    RawDocument source = argument.asDocument();
    return new MatchStage(source, MatchParser.parse(source, context, FilterPlace.PIPELINE));
  }

  /** One that parsing did not make. */
  public static MatchStage of(MatchExpression filter) {
    return new MatchStage(MatchSource.of(filter), filter);
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    filter.addDependencies(dependencies);
    return Sight.OF_INPUT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    return ModifiedPaths.NONE;
  }

  @Override
  public List<RawDocument> serialize() {
    return List.of(Stage.explained("$match", source));
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.OnShards();
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained("$match", MatchDocument.of(filter)));
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    DocumentFilter wanted = DocumentFilter.of(filter);
    if (wanted == null) {
      return input;
    }
    return () -> {
      RawDocument document = input.next();
      while (document != null && !wanted.matches(document)) {
        document = input.next();
      }
      return document;
    };
  }
}
