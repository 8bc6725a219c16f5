package dev.wisent.query.aggregate;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.MatchDocument;
import dev.wisent.query.projection.ComputedFields;
import dev.wisent.query.projection.Projection;
import dev.wisent.query.sort.SortPattern;
import java.util.List;

/** Stages as explain shows them: with defaults and constants spelled out. */
public final class ExplainedStages {
  private static final String ID = "_id";

  private ExplainedStages() {}

  /** One document for each stage that MongoDB makes of this one. */
  public static List<RawDocument> of(Stage stage) {
    return switch (stage) {
      case MatchStage match -> List.of(of("$match", MatchDocument.of(match.filter())));
      case SkipStage skip -> List.of(of("$skip", skip.count()));
      case LimitStage limit -> List.of(of("$limit", limit.count()));
      case SortStage sort -> List.of(of("$sort", sortKey(sort.pattern())));
      case ProjectStage project -> List.of(of("$project", project(project.projection())));
      case AddFieldsStage added -> List.of(of(added.name(), computed(added.fields())));
      case ReplaceRootStage replaced ->
          List.of(
              of(
                  "$replaceRoot",
                  new BsonBuilder()
                      .append("newRoot", replaced.expression().serialize())
                      .toDocument()));
      case CountStage count -> count(count.field());
      case GroupStage group -> List.of(of("$group", group(group)));
      case GeoNearStage near -> List.of(of(GeoNearStage.NAME, near.source()));
    };
  }

  private static RawDocument of(String name, RawDocument argument) {
    return new BsonBuilder().appendDocument(name, argument).toDocument();
  }

  private static RawDocument of(String name, long argument) {
    return new BsonBuilder().appendInt64(name, argument).toDocument();
  }

  private static RawDocument sortKey(SortPattern pattern) {
    return new BsonBuilder().appendDocument("sortKey", pattern.toDocument()).toDocument();
  }

  private static boolean isComputed(Projection projection, RawValue value) {
    if (projection.computed() == null || value.isNumber() || value.type() == ElementType.BOOLEAN) {
      return false;
    }
    ElementCursor fields = value.isDocument() ? value.elements() : null;
    return fields == null || (fields.next() && fields.nameStartsWith('$'));
  }

  private static RawDocument computed(ComputedFields fields) {
    var out = new BsonBuilder();
    fields.serialize(out, name -> true);
    return out.toDocument();
  }

  /** Whether a field is kept is a boolean here, and that of {@code _id} is always said. */
  private static RawDocument project(Projection projection) {
    var out = new BsonBuilder();
    RawValue id = projection.source().get(ID);
    boolean computedId = id != null && isComputed(projection, id);
    if (projection.isInclusion() && !computedId) {
      out.appendBoolean(ID, id == null || id.isTruthy());
    }
    ElementCursor fields = projection.source().elements();
    while (fields.next()) {
      RawValue value = fields.value();
      if (fields.name().equals(ID) || isComputed(projection, value)) {
        continue;
      }
      out.append(fields.name(), value.isNumber() ? RawValue.ofBoolean(value.isTruthy()) : value);
    }
    if (!projection.isInclusion()) {
      out.appendBoolean(ID, id == null || id.isTruthy());
    }
    if (projection.computed() != null) {
      // What is nested in the argument stands there already.
      projection
          .computed()
          .serialize(
              out,
              name -> {
                RawValue source = projection.source().get(name);
                return source == null || isComputed(projection, source);
              });
    }
    return out.toDocument();
  }

  /** A count is a group of everything, without its {@code _id}. */
  private static List<RawDocument> count(String field) {
    var all = new GroupStage(RawValue.NULL, List.of(new GroupStage.ConstantSum(field, 1)));
    var withoutId = new BsonBuilder().appendBoolean(field, true).appendBoolean(ID, false);
    return List.of(of("$group", group(all)), of("$project", withoutId.toDocument()));
  }

  private static RawDocument group(GroupStage group) {
    var out = new BsonBuilder().startDocument(ID).append("$const", group.id()).end();
    for (GroupStage.ConstantSum sum : group.sums()) {
      out.startDocument(sum.name()).startDocument("$sum");
      out.append("$const", CountingStream.number(sum.step())).end().end();
    }
    return out.toDocument();
  }
}
