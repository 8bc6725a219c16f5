package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.FieldPathExpression;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What {@code $setWindowFields} does with documents that are sorted by partition and order.
 *
 * @param partitionBy what documents of one partition have in common; null for all in one
 * @param sortBy how a partition is sorted; null if it is not
 */
public record WindowStage(
    Expression partitionBy, SortPattern sortBy, List<WindowOutput> outputs, Collation collation)
    implements Stage {
  static final String NAME = "$_internalSetWindowFields";

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new WindowStream(this, input, run.space());
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.AtMerge(MergeSite.ANYWHERE);
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder();
    if (partitionBy != null) {
      out.append("partitionBy", partitionBy.serialize());
    }
    if (sortBy != null) {
      out.appendDocument("sortBy", sortBy.toDocument());
    }
    out.startDocument("output");
    for (WindowOutput output : outputs) {
      out.startDocument(output.path().dotted());
      output.function().explain(out);
      out.end();
    }
    out.end();
    return List.of(Stage.explained(NAME, out.toDocument()));
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    if (partitionBy != null) {
      partitionBy.addDependencies(dependencies);
    }
    if (sortBy != null) {
      sortBy.addDependencies(dependencies);
    }
    for (WindowOutput output : outputs) {
      output.function().addDependencies(dependencies);
      if (output.path().length() > 1) {
        // What is there decides whether the field is added to it or takes its place.
        dependencies.addPath(output.path().name(0));
      }
    }
    return Sight.OF_INPUT;
  }

  @Override
  public ModifiedPaths modifiedPaths() {
    return ModifiedPaths.of(
        outputs.stream().map(output -> output.path().dotted()).collect(Collectors.toSet()));
  }

  /**
   * The same without lists that no stage looks at which comes after it.
   *
   * @param needed the paths that are looked at
   */
  public WindowStage withoutUnneeded(Set<String> needed) {
    List<WindowOutput> kept =
        outputs.stream()
            .filter(
                output ->
                    !output.function().isOnlyAValue()
                        || needed.stream().anyMatch(path -> overlap(output.path().dotted(), path)))
            .toList();
    return kept.size() == outputs.size()
        ? this
        : new WindowStage(partitionBy, sortBy, kept, collation);
  }

  private static boolean overlap(String a, String b) {
    return (a + ".").startsWith(b + ".") || (b + ".").startsWith(a + ".");
  }

  @Override
  public Set<String> keyPaths() {
    return partitionBy instanceof FieldPathExpression field
        ? Set.of(field.path().dotted())
        : Set.of();
  }
}
