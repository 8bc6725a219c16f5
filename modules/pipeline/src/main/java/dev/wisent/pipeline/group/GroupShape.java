package dev.wisent.pipeline.group;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.accumulator.Accumulator;
import dev.wisent.pipeline.group.GroupStage.Phase;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.FieldPathExpression;
import dev.wisent.query.expression.Values;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What can be said of a group without looking at documents. */
final class GroupShape {
  /** Accumulators that take values in any order. */
  private static final Set<String> UNORDERED =
      Set.of("$sum", "$avg", "$min", "$max", "$stdDevPop", "$stdDevSamp", "$addToSet");

  private GroupShape() {}

  static boolean dependsOnOrder(List<GroupField> fields) {
    return fields.stream()
        .map(field -> field.accumulator().name())
        .anyMatch(name -> !UNORDERED.contains(name));
  }

  static GroupStage.OneOfEach oneOfEach(GroupStage stage) {
    Set<String> names =
        stage.fields().stream()
            .map(field -> field.accumulator().name())
            .collect(Collectors.toSet());
    boolean one =
        names.isEmpty() || names.equals(Set.of("$first")) || names.equals(Set.of("$last"));
    return one && stage.phase() == Phase.WHOLE && stage.id() instanceof FieldPathExpression field
        ? new GroupStage.OneOfEach(field.path(), names.contains("$last"))
        : null;
  }

  /** Whether there is one group, and all that is said of it are sums of whole constants. */
  static boolean needsOnlyCount(GroupStage stage) {
    return stage.phase() == Phase.WHOLE
        && stage.id().isConstant()
        && stage.fields().stream().allMatch(field -> step(field.accumulator()) != null);
  }

  private static RawValue step(Accumulator accumulator) {
    return accumulator.name().equals("$sum")
            && accumulator.input() instanceof ConstantExpression constant
            && constant.value() != null
            && constant.value().type() == ElementType.INT32
        ? constant.value()
        : null;
  }

  static RawDocument ofCount(GroupStage stage, long count) {
    RawValue id = ((ConstantExpression) stage.id()).value();
    var out = new BsonBuilder().append("_id", id == null ? RawValue.NULL : id);
    for (GroupField field : stage.fields()) {
      out.append(field.name(), Values.intOrLong(count * step(field.accumulator()).asInt32()));
    }
    return out.toDocument();
  }
}
