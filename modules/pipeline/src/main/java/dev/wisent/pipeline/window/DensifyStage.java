package dev.wisent.pipeline.window;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.NestedField;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.pipeline.window.DensifyRange.Extent;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What {@code $densify} does with documents that are sorted by the field, and by partition before
 * that unless the range is a common one.
 *
 * @param partition a document of the partition's fields; null where there are none
 */
public record DensifyStage(
    FieldPath field,
    List<FieldPath> partitionBy,
    Expression partition,
    DensifyRange range,
    Collation collation)
    implements Stage {
  static final String INTERNAL_NAME = "$_internalDensify";
  private static final String NAME = "$densify";

  static List<Stage> parse(RawValue argument, QueryContext context) {
    SpecFields spec =
        SpecFields.readStage(NAME, "The ", argument, Set.of("field", "partitionByFields", "range"));
    String field = spec.require("field", ElementType.STRING).asString();
    List<String> partitions = spec.strings("partitionByFields");
    DensifyRange range = DensifyRange.parse(spec.require("range", ElementType.DOCUMENT));
    List<FieldPath> partitionBy =
        partitions == null ? List.of() : partitions.stream().map(FieldPath::strict).toList();
    FieldPath path = FieldPath.strict(field);
    check(path, partitionBy, range);
    var stage =
        new DensifyStage(
            path, partitionBy, partition(partitionBy, context), range, context.collation());
    return List.of(SortStage.parse(RawValue.ofDocument(stage.sort()), context), stage);
  }

  /** Reads the stage that goes over sorted documents. */
  static Stage parseSorted(RawValue argument, QueryContext context) {
    return parse(argument, context).getLast();
  }

  private static void check(FieldPath field, List<FieldPath> partitionBy, DensifyRange range) {
    if (range.extent() == Extent.PARTITION && partitionBy.isEmpty()) {
      throw new CommandException(
          ErrorCode.DENSIFY_WITHOUT_PARTITIONS,
          "One cannot specify the bounds as 'partition' without specifying a non-empty array of"
              + " partitionByFields. You may have meant to specify 'full' bounds.");
    }
    for (FieldPath partition : partitionBy) {
      if (partition.equals(field)) {
        throw new CommandException(
            ErrorCode.DENSIFY_PARTITION_IS_FIELD,
            "BSON field '$densify.partitionByFields' contains the field that is being densified");
      }
      if (partition.isPrefixOf(field) || field.isPrefixOf(partition)) {
        throw new CommandException(
            ErrorCode.DENSIFY_PARTITION_AROUND_FIELD,
            "$densify cannot partition by a field that has the densified one in it, or is in it");
      }
    }
  }

  private static Expression partition(List<FieldPath> partitionBy, QueryContext context) {
    if (partitionBy.isEmpty()) {
      return null;
    }
    RawDocument fields = RawDocument.EMPTY;
    for (FieldPath path : partitionBy) {
      fields = NestedField.set(fields, path, RawValue.ofString("$" + path));
    }
    return ExpressionParser.parse(RawValue.ofDocument(fields), context);
  }

  private RawDocument sort() {
    var sort = new BsonBuilder();
    var seen = new ArrayList<FieldPath>();
    if (range.extent() != Extent.FULL) {
      for (FieldPath path : partitionBy) {
        if (!seen.contains(path)) {
          sort.appendInt32(path.dotted(), 1);
          seen.add(path);
        }
      }
    }
    return sort.appendInt32(field.dotted(), 1).toDocument();
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new DensifyStream(this, input, run.space());
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
    var out = new BsonBuilder().appendString("field", field.dotted());
    out.startArray("partitionByFields");
    for (int i = 0; i < partitionBy.size(); i++) {
      out.append(i, RawValue.ofString(partitionBy.get(i).dotted()));
    }
    out.end();
    range.explain(out);
    return List.of(Stage.explained(INTERNAL_NAME, out.toDocument()));
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    dependencies.addPath(field.dotted());
    partitionBy.forEach(path -> dependencies.addPath(path.dotted()));
    return Sight.OF_INPUT;
  }
}
