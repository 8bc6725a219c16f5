package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.ProjectStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.path.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which fields of the documents that come in stages look at. */
public final class NeededFields {
  private final Set<String> needed = new TreeSet<>();
  private final Set<String> made = new HashSet<>();

  private NeededFields() {}

  /** The paths, none of which leads to another; null where it may be the whole document. */
  public static Set<String> of(List<Stage> stages) {
    var fields = new NeededFields();
    for (Stage stage : stages) {
      var read = new Dependencies();
      Stage.Sight sight = stage.addDependencies(read);
      if (read.needsWholeDocument() || !fields.addAll(read.paths())) {
        return null;
      }
      if (sight == Stage.Sight.OF_RESULT) {
        if (stage instanceof ProjectStage) {
          fields.addPlaces(read.paths());
        }
        return fields.withoutNested();
      }
      if (stage.modifiedPaths().kind() == ModifiedPaths.Kind.THESE) {
        fields.made.addAll(stage.modifiedPaths().paths());
      }
    }
    return null;
  }

  private boolean addAll(Set<String> paths) {
    for (String path : paths) {
      if (!add(path)) {
        return false;
      }
    }
    return true;
  }

  /**
   * What a stage before has written or removed is no longer what came in. Below another field it
   * still stands where that was, which may be an array, or no document at all.
   */
  private boolean add(String path) {
    String outermost = null;
    for (String each : made) {
      if (EarlierFilter.leadsTo(each, path)
          && (outermost == null || each.length() < outermost.length())) {
        outermost = each;
      }
    }
    if (outermost != null) {
      int parent = outermost.lastIndexOf('.');
      return parent < 0 || add(outermost.substring(0, parent));
    }
    if (path.isEmpty() || path.startsWith("$") || path.contains(".$") || path.contains("..")) {
      return false;
    }
    needed.add(FieldPath.of(path).withoutPositions());
    return true;
  }

  /**
   * A projection shows fields in the order of the document, where one that was written anew still
   * stands in the place of what came in.
   */
  private void addPlaces(Set<String> shown) {
    if (shown.size() == 1) {
      return; // a field alone has no order
    }
    for (String each : made) {
      if (shown.stream().anyMatch(path -> EarlierFilter.leadsTo(each, path))) {
        needed.add(FieldPath.of(each).name(0));
      }
    }
  }

  private Set<String> withoutNested() {
    var outer = new TreeSet<String>();
    for (String path : needed) {
      // A path comes after those that lead to it.
      if (outer.stream().noneMatch(each -> EarlierFilter.leadsTo(each, path))) {
        outer.add(path);
      }
    }
    return outer;
  }
}
