package dev.wisent.query.key;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.geo.GeoCells;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TextIndexSpec;
import java.util.Set;

/** Makes the keys that an index has for a document. Belongs to one thread. */
public sealed interface KeyExtractor
    permits IndexKeyExtractor,
        HashedKeyExtractor,
        WildcardKeyExtractor,
        TextKeyExtractor,
        SphereKeyExtractor,
        PlaneKeyExtractor {

  /** For the keys of an index, which begin with the four bytes of its ident. */
  static KeyExtractor of(KeyPattern pattern, boolean sparse, WildcardPaths wildcard, int ident) {
    if (wildcard != null) {
      return new WildcardKeyExtractor(pattern, wildcard, ident);
    }
    return pattern.fieldOf(KeyPattern.FieldKind.HASH) >= 0
        ? new HashedKeyExtractor(pattern, sparse, ident)
        : new IndexKeyExtractor(pattern, sparse, ident);
  }

  /** For the keys of a text index. */
  static KeyExtractor ofText(KeyPattern pattern, TextIndexSpec text, int ident) {
    return new TextKeyExtractor(pattern, text, ident);
  }

  /** The same for an index of places, whose cells are these. */
  static KeyExtractor of(KeyPattern pattern, GeoCells cells, int ident) {
    return pattern.fieldOf(KeyPattern.FieldKind.SPHERE) >= 0
        ? new SphereKeyExtractor(pattern, cells, ident)
        : new PlaneKeyExtractor(pattern, cells, ident);
  }

  /** Hands every key of the document to the sink, each once, in no particular order. */
  void extract(RawDocument document, KeySink sink);

  /**
   * Whether the document that was extracted last had several keys or an array on an indexed path;
   * an array of one element counts.
   */
  boolean multikey();

  /**
   * Which parts of a field's path were arrays in the document that was extracted last: bit 0 for
   * its first part. Parts from the 64th on share the last bit. Arrays of which an element was
   * picked by its index do not count, nor those below a wildcard.
   */
  long arrayParts(int field);

  /** The paths below a wildcard that were arrays in the document that was extracted last. */
  Set<FieldPath> arrayPaths();
}
