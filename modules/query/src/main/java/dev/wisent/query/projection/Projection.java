package dev.wisent.query.projection;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.Metadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A projection of {@code find}, ready to run.
 *
 * <p>The order of fields is that of MongoDB since 4.4: as in the document; a field with {@code
 * $elemMatch} in an inclusion comes after them, and computed fields last.
 */
public final class Projection {
  private final RawDocument source;
  private final ProjectionNode root;
  private final boolean inclusion;
  private final boolean positional;

  /** Null where nothing is computed. */
  private final ComputedFields computed;

  private final Dependencies dependencies;
  private final WorkMeter meter;

  Projection(
      RawDocument source,
      ProjectionNode root,
      boolean inclusion,
      boolean positional,
      ComputedFields computed,
      Dependencies dependencies,
      WorkMeter meter) {
    this.source = source;
    this.root = root;
    this.inclusion = inclusion;
    this.positional = positional;
    this.computed = computed;
    this.dependencies = dependencies;
    this.meter = meter;
  }

  /**
   * Parses a projection.
   *
   * @param filterOrNull the query, which a positional projection needs; null where there is none
   */
  public static Projection parse(RawDocument spec, RawDocument filterOrNull, QueryContext context) {
    return new ProjectionParser(filterOrNull != null, false, context).parse(spec).finish(spec);
  }

  /**
   * Parses the argument of a {@code $project} stage: no positions, and operators are expressions.
   */
  public static Projection parseStage(RawDocument spec, QueryContext context) {
    ProjectionParser parser;
    try {
      parser = new ProjectionParser(false, true, context).parse(spec);
    } catch (CommandException e) {
      throw e.during("Invalid $project");
    }
    try {
      return parser.finish(spec);
    } catch (CommandException e) {
      throw e.during("Failed to optimize pipeline");
    }
  }

  /** The computed fields, or null. */
  public ComputedFields computed() {
    return computed;
  }

  /** Documents as they are, which carry metadata for those who go on with them. */
  public static Projection withMetadata(Set<MetaType> metadata) {
    var spec = new BsonBuilder();
    var dependencies = new Dependencies();
    for (MetaType type : metadata) {
      spec.startDocument("$" + type.text()).appendString("$meta", type.text()).end();
      dependencies.addMetadata(type);
    }
    return new Projection(
        spec.toDocument(),
        new ProjectionNode(Map.of()),
        false,
        false,
        null,
        dependencies,
        WorkMeter.unchecked());
  }

  /** Whether the metadata stays on the documents. */
  public boolean keepsMetadata() {
    return !metadata().isEmpty() && isIdentity();
  }

  /** What was parsed. */
  public RawDocument source() {
    return source;
  }

  /** Whether documents come out as they are. */
  public boolean isIdentity() {
    return !inclusion && root.size() == 0;
  }

  /** Of an inclusion what is kept as it is, of an exclusion what is changed. */
  public ChangedPaths changedPaths() {
    return ChangedPaths.of(root, inclusion, computed);
  }

  /** Whether the projection names what is sent, rather than what is left out. */
  public boolean isInclusion() {
    return inclusion;
  }

  /** Whether whole values at top-level names are sent or left out, and nothing else is done. */
  public boolean isSimple() {
    if (!metadata().isEmpty()) {
      return false;
    }
    for (int i = 0; i < root.size(); i++) {
      if (!(root.step(i) instanceof FieldAction.Keep || root.step(i) instanceof FieldAction.Drop)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the values at certain paths are sent as they are, and nothing else is. */
  public boolean isPlainInclusion() {
    return inclusion && isPlain(root);
  }

  private static boolean isPlain(ProjectionNode node) {
    for (int i = 0; i < node.size(); i++) {
      boolean plain =
          switch (node.step(i)) {
            case FieldAction.Keep ignored -> true;
            case FieldAction.Drop ignored -> true;
            case FieldAction.Inside inside -> isPlain(inside.node());
            case FieldAction.Computed ignored -> false;
            case FieldAction.Positional ignored -> false;
            case FieldAction.FirstMatch ignored -> false;
            case FieldAction.Slice ignored -> false;
          };
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  /** What documents have to carry. */
  public Set<MetaType> metadata() {
    return dependencies.metadata();
  }

  /** Whether {@link #append} must know which array element matched the query. */
  public boolean needsMatchDetails() {
    return positional;
  }

  /** What the result depends on; of an exclusion only what it computes. */
  public Dependencies dependencies() {
    return dependencies;
  }

  /**
   * The paths that a document's result depends on, for plans that read no documents. Empty where
   * that may be any field.
   */
  public Optional<Set<String>> requiredFields() {
    return inclusion && !dependencies.needsWholeDocument()
        ? Optional.of(dependencies.paths())
        : Optional.empty();
  }

  /**
   * Appends the projected fields to the document that is open in the builder.
   *
   * @param details from matching the query with this document; null unless {@link
   *     #needsMatchDetails()}
   */
  public void append(RawDocument document, MatchDetails details, BsonBuilder out) {
    if (isIdentity()) {
      out.appendAll(document);
      return;
    }
    if (computed == null) {
      project(document, details, out);
      return;
    }
    RawDocument fields = metadata().isEmpty() ? document : Metadata.remove(document);
    var kept = new BsonBuilder(document.length());
    project(fields, details, kept);
    kept.end();
    var base = new RawDocument(kept.bytes(), 0, kept.position());
    computed.append(base, new Frame(meter, document), out);
  }

  private void project(RawDocument document, MatchDetails details, BsonBuilder out) {
    int arrayIndex = details == null ? -1 : details.arrayIndex();
    var writer = new ProjectionWriter(inclusion, arrayIndex, out);
    writer.document(root, document.elements(), ProjectionWriter.Context.OUTSIDE_ARRAYS);
  }

  public RawDocument apply(RawDocument document, MatchDetails details) {
    if (isIdentity()) {
      return document;
    }
    var out = new BsonBuilder(document.length());
    append(document, details, out);
    return out.toDocument();
  }
}
