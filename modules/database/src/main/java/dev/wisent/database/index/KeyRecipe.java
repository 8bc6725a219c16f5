package dev.wisent.database.index;

import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.geo.GeoCells;
import dev.wisent.query.key.KeyExtractor;
import dev.wisent.query.key.KeyPattern;
import dev.wisent.query.key.KeyPattern.FieldKind;
import dev.wisent.query.key.WildcardPaths;
import dev.wisent.query.text.TextIndexSpec;
import dev.wisent.query.update.TouchedPaths;

/**
 * How the keys of an index are made of documents.
 *
 * @param wildcard which paths a wildcard index has; null for every other
 * @param text what a text index has; null for every other
 * @param cells those of an index of places; null for every other
 */
record KeyRecipe(
    IndexDefinition definition,
    KeyPattern pattern,
    WildcardPaths wildcard,
    TextIndexSpec text,
    GeoCells cells) {
  static KeyRecipe of(IndexDefinition definition) {
    KeyPattern pattern =
        KeyPattern.of(definition.key()).withCollation(Collation.ofOptions(definition.spec()));
    int field = pattern.fieldOf(FieldKind.WILDCARD);
    WildcardPaths wildcard =
        field < 0
            ? null
            : WildcardPaths.of(pattern.fields().get(field).path(), definition.wildcardProjection());
    TextIndexSpec text =
        pattern.fieldOf(FieldKind.TERM) < 0 ? null : TextIndexSpec.of(definition.spec());
    return new KeyRecipe(definition, pattern, wildcard, text, cells(definition, pattern));
  }

  private static GeoCells cells(IndexDefinition definition, KeyPattern pattern) {
    if (pattern.fieldOf(FieldKind.SPHERE) >= 0) {
      return GeoCells.ofSphere(definition.spec());
    }
    return pattern.fieldOf(FieldKind.PLANE) >= 0 ? GeoCells.ofPlane(definition.spec()) : null;
  }

  Index.Kind kind() {
    if (text != null) {
      return Index.Kind.TEXT;
    }
    if (wildcard != null) {
      return Index.Kind.WILDCARD;
    }
    if (cells != null) {
      return pattern.fieldOf(FieldKind.SPHERE) >= 0 ? Index.Kind.SPHERE : Index.Kind.PLANE;
    }
    return pattern.fieldOf(FieldKind.HASH) >= 0 ? Index.Kind.HASHED : Index.Kind.ORDERED;
  }

  /** Belongs to one thread. */
  KeyExtractor newExtractor() {
    if (cells != null) {
      return KeyExtractor.of(pattern, cells, definition.ident());
    }
    return text != null
        ? KeyExtractor.ofText(pattern, text, definition.ident())
        : KeyExtractor.of(pattern, definition.isSparse(), wildcard, definition.ident());
  }

  /** Whether a change of these paths may change the keys of a document. */
  boolean mayBeAffectedBy(TouchedPaths touched) {
    if (text != null && text.mayBeAffectedBy(touched)) {
      return true;
    }
    for (KeyPattern.Field field : pattern.fields()) {
      boolean affected =
          field.kind() == FieldKind.WILDCARD
              ? wildcard.mayBeAffectedBy(touched)
              : touched.mayAffect(field.path().dotted());
      if (affected) {
        return true;
      }
    }
    return false;
  }
}
