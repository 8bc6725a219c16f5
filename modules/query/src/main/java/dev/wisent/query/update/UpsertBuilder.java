package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.AndMatch;
import dev.wisent.query.match.EqualityFields;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.OrMatch;
import dev.wisent.query.match.PathMatch;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.update.element.FieldName;
import dev.wisent.query.update.element.MutableDocument;
import dev.wisent.query.update.element.MutableElement;
import dev.wisent.query.update.element.StorageRules;
import dev.wisent.query.update.element.TopLevelFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Makes the document that an upsert inserts when its filter finds nothing: the fields that the
 * filter fixes, with the update applied to them. A replacement takes over only the {@code _id}.
 */
public final class UpsertBuilder {
  private static final String ID = "_id";

  private UpsertBuilder() {}

  /** The document to insert, its {@code _id} in front and new where neither side has one. */
  public static RawDocument build(Update update, MatchExpression filter, UpdateContext context) {
    RawDocument base = fieldsOf(filter, update instanceof Replacement);
    RawDocument updated = update.apply(base, null, true).document();
    RawDocument result = withIdFirst(updated, context);
    StorageRules.checkUpdatedId(TopLevelFields.id(result));
    StorageRules.checkDepth(result);
    if (result.length() > Limits.DOCUMENT_BYTES_MAX) {
      throw new CommandException(
          ErrorCode.UPSERT_DOCUMENT_TOO_LARGE,
          "Document to upsert is larger than " + Limits.DOCUMENT_BYTES_MAX);
    }
    return result;
  }

  private static RawDocument withIdFirst(RawDocument document, UpdateContext context) {
    TopLevelFields fields = TopLevelFields.of(document);
    if (fields.idFirst()) {
      return document;
    }
    RawValue id =
        fields.id() != null ? fields.id() : RawValue.ofObjectId(context.newObjectId().get());
    return TopLevelFields.arranged(document, id, null);
  }

  private static RawDocument fieldsOf(MatchExpression filter, boolean replacement) {
    List<EqualityFields.Field> fields =
        replacement ? idOf(filter) : new ArrayList<>(EqualityFields.of(filter));
    // MongoDB takes them in the order of their paths, not in that of the filter.
    fields.sort(Comparator.comparing(field -> FieldName.of(field.path().dotted()).utf8(), BYTES));
    var document = new MutableDocument(RawDocument.EMPTY, false);
    for (EqualityFields.Field field : fields) {
      set(document, field.path(), field.value());
    }
    return document.encode();
  }

  private static final Comparator<byte[]> BYTES = Arrays::compareUnsigned;

  private static void set(MutableDocument document, FieldPath path, RawValue value) {
    Place place = Place.root(document);
    int last = path.length() - 1;
    for (int i = 0; i < last; i++) {
      FieldName name = FieldName.of(path.name(i));
      MutableElement element = place.find(name);
      place = place.down(name, element);
    }
    place.create(FieldName.of(path.name(last)), value);
  }

  /** Only what fixes the {@code _id} as a whole; conditions on other fields do not matter here. */
  private static List<EqualityFields.Field> idOf(MatchExpression filter) {
    var conditions = new ArrayList<MatchExpression>();
    collectIdConditions(filter, conditions);
    var fields = new ArrayList<>(EqualityFields.of(new AndMatch(conditions)));
    for (EqualityFields.Field field : fields) {
      if (field.path().length() > 1) {
        throw new CommandException(
            ErrorCode.NOT_EXACT_VALUE_FIELD,
            "field at '_id' must be exactly specified, field at sub-path '"
                + field.path()
                + "'found");
      }
    }
    return fields;
  }

  private static void collectIdConditions(
      MatchExpression expression, List<MatchExpression> conditions) {
    switch (expression) {
      case AndMatch and -> and.children().forEach(child -> collectIdConditions(child, conditions));
      case OrMatch or when or.children().size() == 1 ->
          collectIdConditions(or.children().getFirst(), conditions);
      case PathMatch match when match.path().name(0).equals(ID) -> conditions.add(match);
      default -> {
        // Not about the _id, or not about one value.
      }
    }
  }
}
