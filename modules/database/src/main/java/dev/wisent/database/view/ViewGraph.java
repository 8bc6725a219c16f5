package dev.wisent.database.view;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.pipeline.join.SourceNames;
import dev.wisent.query.collation.Collation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which views of a database read which others, with one that is about to be written. Only what that
 * one brings about is checked. For one thread.
 */
final class ViewGraph {
  /** Leaves room for the rest of an answer that shows a view. */
  private static final int PIPELINE_BYTES_MAX = 16_000_000;

  private final ViewDefinition added;
  private final Map<Namespace, ViewDefinition> views = new HashMap<>();
  private final List<Namespace> path = new ArrayList<>();
  private final Map<Namespace, Extent> below = new HashMap<>();
  private final Map<Namespace, Extent> above = new HashMap<>();

  /** The longest chain of views from one on, and the greatest sum of pipelines. */
  private record Extent(int views, long bytes) {
    static final Extent NONE = new Extent(0, 0);

    Extent or(Extent other) {
      return new Extent(Math.max(views, other.views), Math.max(bytes, other.bytes));
    }

    Extent and(ViewDefinition view) {
      var longer = new Extent(views + 1, bytes + view.pipeline().length());
      longer.check();
      return longer;
    }

    void check() {
      if (views > Views.DEPTH_MAX) {
        throw new CommandException(
            ErrorCode.VIEW_DEPTH_LIMIT_EXCEEDED,
            "View depth limit exceeded; maximum depth is " + Views.DEPTH_MAX);
      }
      if (bytes > PIPELINE_BYTES_MAX) {
        throw new CommandException(
            ErrorCode.VIEW_PIPELINE_MAX_SIZE_EXCEEDED,
            "View pipeline exceeds maximum size; maximum size is " + PIPELINE_BYTES_MAX);
      }
    }
  }

  private ViewGraph(ViewDefinition added, List<ViewDefinition> others) {
    this.added = added;
    others.forEach(view -> views.put(view.namespace(), view));
    views.put(added.namespace(), added);
  }

  /** Fails where a view may not stand among the others of its database. */
  static void check(ViewDefinition added, List<ViewDefinition> others) {
    var graph = new ViewGraph(added, others);
    Extent down = graph.below(added.namespace());
    Extent up = graph.above(added.namespace());
    // The view itself is in both.
    new Extent(down.views() + up.views() - 1, down.bytes() + up.bytes() - added.pipeline().length())
        .check();
    graph.checkCollations();
  }

  private Extent below(Namespace name) {
    if (!path.isEmpty() && name.equals(added.namespace())) {
      throw cycle();
    }
    ViewDefinition view = views.get(name);
    if (view == null) {
      return Extent.NONE;
    }
    Extent known = below.get(name);
    if (known != null) {
      return known;
    }
    path.add(name);
    Extent extent = Extent.NONE;
    for (Namespace source : sources(view)) {
      extent = extent.or(below(source));
    }
    path.removeLast();
    extent = extent.and(view);
    below.put(name, extent);
    return extent;
  }

  private Extent above(Namespace name) {
    Extent known = above.get(name);
    if (known != null) {
      return known;
    }
    Extent extent = Extent.NONE;
    for (ViewDefinition view : views.values()) {
      if (sources(view).contains(name)) {
        extent = extent.or(above(view.namespace()));
      }
    }
    extent = extent.and(views.get(name));
    above.put(name, extent);
    return extent;
  }

  private CommandException cycle() {
    var text = new StringBuilder("View cycle detected: ").append(added.namespace());
    path.forEach(name -> text.append(" => ").append(name));
    text.append(" => ").append(added.namespace());
    return new CommandException(ErrorCode.GRAPH_CONTAINS_CYCLE, text.toString());
  }

  /** All views that one reads have its collation. */
  private void checkCollations() {
    for (ViewDefinition view : views.values()) {
      for (Namespace source : sources(view)) {
        ViewDefinition read = views.get(source);
        boolean concerned = view == added || read == added;
        if (concerned && read != null && !Collation.same(view.collation(), read.collation())) {
          throw new CommandException(
              ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW,
              "View "
                  + view.namespace()
                  + " has a collation that does not match the collation of view "
                  + read.namespace());
        }
      }
    }
  }

  /** The collections and views that a view names. */
  private static Set<Namespace> sources(ViewDefinition view) {
    var names = new LinkedHashSet<String>();
    names.add(view.on().collection());
    addSources(view.pipeline(), names);
    var sources = new LinkedHashSet<Namespace>();
    names.forEach(name -> sources.add(new Namespace(view.on().database(), name)));
    return sources;
  }

  /** Adds the names of the collections and views that a pipeline reads. */
  static void addSources(RawDocument pipeline, Set<String> names) {
    SourceNames.forEach(
        pipeline,
        source -> {
          if (source.isString()) {
            names.add(source.asString());
          }
        });
  }
}
