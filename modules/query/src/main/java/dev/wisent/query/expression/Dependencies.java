package dev.wisent.query.expression;

import dev.wisent.query.metadata.MetaType;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/** Which parts of a document expressions read. */
public final class Dependencies {
  private final Set<String> paths = new TreeSet<>();
  private boolean wholeDocument;
  private boolean random;
  private Set<MetaType> metadata = Set.of();

  public void addPath(String dotted) {
    paths.add(dotted);
  }

  public void addWholeDocument() {
    wholeDocument = true;
  }

  /** Something that differs from one evaluation to the next. */
  public void addRandom() {
    random = true;
  }

  /** Something that is known of the document besides its fields. */
  public void addMetadata(MetaType type) {
    metadata = metadata.isEmpty() ? EnumSet.of(type) : metadata;
    metadata.add(type);
  }

  public Set<MetaType> metadata() {
    return metadata;
  }

  public void addAll(Dependencies others) {
    paths.addAll(others.paths);
    wholeDocument |= others.wholeDocument;
    random |= others.random;
    others.metadata.forEach(this::addMetadata);
  }

  public Set<String> paths() {
    return paths;
  }

  public boolean needsWholeDocument() {
    return wholeDocument;
  }

  public boolean isRandom() {
    return random;
  }

  /** Whether nothing of a document is read. */
  public boolean isEmpty() {
    return paths.isEmpty() && !wholeDocument;
  }

  public static Dependencies of(Expression expression) {
    var dependencies = new Dependencies();
    expression.addDependencies(dependencies);
    return dependencies;
  }
}
