package dev.wisent.query.update;

import dev.wisent.bson.RawValue;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Every name that means something in an update, one row each. */
public final class UpdateOperators {
  /** What a name is for. */
  public enum Kind {
    FIELD,
    ARRAY,
    BITWISE,
    /** Stands inside the argument of an operator. */
    MODIFIER,
    /** Stands in the path of an operator. */
    POSITIONAL,
    ISOLATION,
    /** A stage of an update that is a pipeline. */
    PIPELINE_STAGE,
    /** Appears in replicated updates only. */
    OPLOG
  }

  /** How far a name is supported here. */
  public enum Support {
    YES,
    /** MongoDB has it, we do not. */
    NOT_YET,
    /** MongoDB took it away. */
    REMOVED,
    /** Not for clients. */
    INTERNAL
  }

  /** One name, as compatibility tables list it. */
  public record Row(String name, Kind kind, Support support, String since, String help) {}

  /** Makes an operator of the path and argument that an update gives it. */
  interface Factory {
    FieldOperator create(String path, RawValue argument, UpdateContext context);
  }

  static final String RENAME = "$rename";

  private record Entry(Row row, Factory factory) {}

  private static final List<Entry> TABLE =
      List.of(
          operator(
              "$currentDate",
              Kind.FIELD,
              "2.6",
              "the time, as a date or a timestamp",
              (path, argument, context) -> CurrentDateUpdate.parse(argument, context)),
          operator(
              "$inc",
              Kind.FIELD,
              "1.6",
              "adds a number",
              (path, argument, context) -> IncUpdate.parse(path, argument)),
          operator(
              "$min",
              Kind.FIELD,
              "2.6",
              "the smaller of field and argument",
              (path, argument, context) -> MinUpdate.parse(argument, context)),
          operator(
              "$max",
              Kind.FIELD,
              "2.6",
              "the larger of field and argument",
              (path, argument, context) -> MaxUpdate.parse(argument, context)),
          operator(
              "$mul",
              Kind.FIELD,
              "2.6",
              "multiplies by a number",
              (path, argument, context) -> MulUpdate.parse(path, argument)),
          name(RENAME, Kind.FIELD, Support.YES, "1.8", "moves a field to another path"),
          operator(
              "$set",
              Kind.FIELD,
              "1.6",
              "sets a field",
              (path, argument, context) -> SetUpdate.parse(argument)),
          operator(
              "$setOnInsert",
              Kind.FIELD,
              "2.4",
              "sets a field when an upsert inserts",
              (path, argument, context) -> SetOnInsertUpdate.parse(argument)),
          operator(
              "$unset",
              Kind.FIELD,
              "1.6",
              "removes a field",
              (path, argument, context) -> new UnsetUpdate()),
          operator(
              "$addToSet",
              Kind.ARRAY,
              "1.6",
              "adds values that are not there yet",
              (path, argument, context) -> AddToSetUpdate.parse(argument, context)),
          operator(
              "$pop",
              Kind.ARRAY,
              "1.6",
              "removes the first or last element",
              (path, argument, context) -> PopUpdate.parse(path, argument)),
          operator(
              "$pull",
              Kind.ARRAY,
              "1.6",
              "removes elements that match",
              (path, argument, context) -> PullUpdate.parse(argument, context)),
          operator(
              "$pullAll",
              Kind.ARRAY,
              "1.6",
              "removes elements that equal one of the values",
              (path, argument, context) -> PullAllUpdate.parse(argument, context)),
          operator(
              "$push",
              Kind.ARRAY,
              "1.6",
              "adds values, sorts, cuts",
              (path, argument, context) -> PushUpdate.parse(argument, context)),
          name("$pushAll", Kind.ARRAY, Support.REMOVED, "1.6", "use $push with $each"),
          operator(
              "$bit",
              Kind.BITWISE,
              "1.6",
              "and, or, xor with integers",
              (path, argument, context) -> BitUpdate.parse(argument)),
          name("$each", Kind.MODIFIER, Support.YES, "1.6", "in $push and $addToSet"),
          name("$position", Kind.MODIFIER, Support.YES, "2.6", "in $push"),
          name("$slice", Kind.MODIFIER, Support.YES, "2.4", "in $push"),
          name("$sort", Kind.MODIFIER, Support.YES, "2.4", "in $push"),
          name("$type", Kind.MODIFIER, Support.YES, "2.6", "in $currentDate"),
          name("$", Kind.POSITIONAL, Support.YES, "1.6", "the element that the query matched"),
          name("$[]", Kind.POSITIONAL, Support.YES, "3.6", "all elements"),
          name("$[<identifier>]", Kind.POSITIONAL, Support.YES, "3.6", "with arrayFilters"),
          name("$isolated", Kind.ISOLATION, Support.REMOVED, "2.2", "use a transaction"),
          name("$addFields", Kind.PIPELINE_STAGE, Support.NOT_YET, "4.2", "adds fields"),
          name("$set", Kind.PIPELINE_STAGE, Support.NOT_YET, "4.2", "adds fields"),
          name("$project", Kind.PIPELINE_STAGE, Support.NOT_YET, "4.2", "chooses fields"),
          name("$unset", Kind.PIPELINE_STAGE, Support.NOT_YET, "4.2", "removes fields"),
          name("$replaceRoot", Kind.PIPELINE_STAGE, Support.NOT_YET, "4.2", "a new document"),
          name("$replaceWith", Kind.PIPELINE_STAGE, Support.NOT_YET, "4.2", "a new document"),
          name("$v", Kind.OPLOG, Support.INTERNAL, "3.6", "format of a replicated update"));

  private static final List<Row> ROWS = TABLE.stream().map(Entry::row).toList();

  private static final Map<String, Factory> FACTORIES =
      TABLE.stream()
          .filter(entry -> entry.factory() != null)
          .collect(Collectors.toUnmodifiableMap(entry -> entry.row().name(), Entry::factory));

  private UpdateOperators() {}

  private static Entry operator(
      String name, Kind kind, String since, String help, Factory factory) {
    return new Entry(new Row(name, kind, Support.YES, since, help), factory);
  }

  private static Entry name(String name, Kind kind, Support support, String since, String help) {
    return new Entry(new Row(name, kind, support, since, help), null);
  }

  public static List<Row> rows() {
    return ROWS;
  }

  /** Null for {@code $rename}, which has two paths, and for names that are no operators. */
  static Factory factory(String name) {
    return FACTORIES.get(name);
  }
}
