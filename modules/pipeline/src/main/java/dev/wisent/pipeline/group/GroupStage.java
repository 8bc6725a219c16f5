package dev.wisent.pipeline.group;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.pipeline.StageSplit.MergeSite;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.ObjectExpression;
import dev.wisent.query.path.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code $group}: one document for all documents with the same key.
 *
 * @param id whose values are the keys
 * @param collation what makes strings equal; null for the simple one
 * @param phase which part of the grouping is done
 */
public record GroupStage(Expression id, List<GroupField> fields, Collation collation, Phase phase)
    implements Stage {
  private static final String ID = "_id";

  /** Which part of a grouping a stage does. */
  public enum Phase {
    /** From documents to groups. */
    WHOLE(null),
    /** From the documents of a shard to groups with partial states in the place of results. */
    SHARD("$willBeMerged"),
    /** From such groups of several shards to groups. */
    MERGE("$doingMerge");

    private final String option;

    Phase(String option) {
      this.option = option;
    }

    /** The phase that an option of the stage asks for; null if it is none. */
    static Phase of(String option) {
      return option.equals(SHARD.option) ? SHARD : option.equals(MERGE.option) ? MERGE : null;
    }
  }

  public GroupStage {
    fields = List.copyOf(fields);
  }

  static GroupStage parse(RawValue argument, QueryContext context) {
    if (!argument.isDocument()) {
      throw new CommandException(
          ErrorCode.GROUP_STAGE_NOT_OBJECT, "a group's fields must be specified in an object");
    }
    ExpressionParser parser = ExpressionParser.of(context);
    Expression id = null;
    var fields = new ArrayList<GroupField>();
    Phase phase = Phase.WHOLE;
    ElementCursor elements = argument.elements();
    while (elements.next()) {
      if (context.nesting().ofRouter() && Phase.of(elements.name()) != null) {
        phase = Phase.of(elements.name());
      } else if (!elements.name().equals(ID)) {
        fields.add(GroupField.parse(elements.name(), elements.value(), parser));
      } else if (id != null) {
        throw new CommandException(
            ErrorCode.GROUP_STAGE_IDS, "a group's _id may only be specified once");
      } else {
        checkId(elements.value());
        id = parser.parse(elements.value());
      }
    }
    if (id == null) {
      throw new CommandException(
          ErrorCode.GROUP_STAGE_WITHOUT_ID, "a group specification must include an _id");
    }
    return of(id, fields, context).in(phase);
  }

  static GroupStage of(Expression id, List<GroupField> fields, QueryContext context) {
    try {
      return new GroupStage(id.optimize(), fields, context.collation(), Phase.WHOLE);
    } catch (CommandException e) {
      throw e.during("Failed to optimize pipeline");
    }
  }

  /** A document of an {@code _id} is not a list of fields to be included. */
  private static void checkId(RawValue id) {
    ElementCursor parts = id.isDocument() ? id.elements() : RawDocument.EMPTY.elements();
    boolean first = true;
    while (parts.next() && !(first && parts.nameStartsWith('$'))) {
      first = false;
      if (ElementType.isNumber(parts.type()) || parts.type() == ElementType.BOOLEAN) {
        throw new CommandException(
            ErrorCode.GROUP_STAGE_ID_INCLUSION,
            "$group does not support inclusion-style expressions");
      }
    }
  }

  @Override
  public boolean dropsMetadata() {
    return true;
  }

  @Override
  public List<RawDocument> serialize() {
    var out = new BsonBuilder().append(ID, id.serialize());
    fields.forEach(field -> out.appendDocument(field.name(), field.accumulator().serialize()));
    if (phase.option != null) {
      out.appendBoolean(phase.option, true);
    }
    return List.of(Stage.explained("$group", out.toDocument()));
  }

  @Override
  public StageSplit split(QueryContext context) {
    return phase == Phase.WHOLE
        ? new StageSplit.Divided(List.of(in(Phase.SHARD)), null, List.of(in(Phase.MERGE)))
        : new StageSplit.AtMerge(MergeSite.ANYWHERE);
  }

  /** The names of the fields. */
  byte[][] names() {
    return fields.stream()
        .map(field -> field.name().getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
  }

  private GroupStage in(Phase other) {
    return new GroupStage(id, fields, collation, other);
  }

  @Override
  public List<RawDocument> explained() {
    var out = new BsonBuilder().append(ID, id.serialize());
    fields.forEach(field -> field.explain(out));
    return List.of(Stage.explained("$group", out.toDocument()));
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    if (phase == Phase.MERGE) {
      dependencies.addPath(ID);
      fields.forEach(field -> dependencies.addPath(field.name()));
      return Sight.OF_RESULT;
    }
    id.addDependencies(dependencies);
    fields.forEach(field -> field.accumulator().addDependencies(dependencies));
    return Sight.OF_RESULT;
  }

  /** Nothing stays, but fields that are the key, or parts of it, have got new names. */
  @Override
  public ModifiedPaths modifiedPaths() {
    if (phase == Phase.MERGE) {
      return ModifiedPaths.allBut(Set.of());
    }
    var renames = new HashMap<String, String>();
    addRename(ID, id, renames);
    if (id instanceof ObjectExpression parts) {
      for (int i = 0; i < parts.fieldCount(); i++) {
        String name = new String(parts.name(i), StandardCharsets.UTF_8);
        addRename(ID + "." + name, parts.value(i), renames);
      }
    }
    return ModifiedPaths.allBut(Set.of()).renaming(renames);
  }

  /** Of which group members one says it all: the first or the last; null if that is not so. */
  public OneOfEach oneOfEach() {
    return GroupShape.oneOfEach(this);
  }

  /**
   * The field that documents are grouped by where one of a group is enough.
   *
   * @param last whether that is the last one
   */
  public record OneOfEach(FieldPath by, boolean last) {
    /** The stage as explain shows it where an index finds that one. */
    public RawDocument explained(GroupStage stage) {
      var out = new BsonBuilder().startDocument("newRoot").append(ID, stage.id.serialize());
      for (GroupField field : stage.fields) {
        out.append(field.name(), field.accumulator().input().serialize());
      }
      return Stage.explained("$groupByDistinctScan", out.end().toDocument());
    }
  }

  @Override
  public boolean dependsOnOrder() {
    return GroupShape.dependsOnOrder(fields);
  }

  @Override
  public boolean needsOnlyCount() {
    return GroupShape.needsOnlyCount(this);
  }

  @Override
  public RawDocument ofCount(long count) {
    return GroupShape.ofCount(this, count);
  }

  /** Only of whole fields: a path may lead through an array, which filters take otherwise. */
  private static void addRename(String name, Expression value, Map<String, String> renames) {
    if (value instanceof FieldPathExpression field && field.path().length() == 1) {
      renames.put(name, field.path().dotted());
    }
  }

  @Override
  public Set<String> keyPaths() {
    return modifiedPaths().renames().keySet();
  }

  @Override
  public boolean takesOneByOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    return new GroupStream(this, input, run.space());
  }
}
