package dev.wisent.database.view;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.ViewNames;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.collation.Collation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** Finds views by name, and what they read in the end. Thread-safe. */
public final class Views implements ViewNames {
  static final int DEPTH_MAX = 20;
  private static final String COLLECTION = "system.views";

  private final Catalog catalog;
  private final Function<FindRequest, ResultCursor> reader;

  /**
   * @param reader finds documents of collections
   */
  public Views(Catalog catalog, Function<FindRequest, ResultCursor> reader) {
    this.catalog = catalog;
    this.reader = reader;
  }

  /** Where the views of a database are written down. */
  public static Namespace collectionOf(String database) {
    return new Namespace(database, COLLECTION);
  }

  /**
   * The view of this name; null if there is none, or a collection has the name. Fails if what is
   * written down under the name is no view.
   */
  public ViewDefinition find(Namespace namespace) {
    if (catalog.find(namespace) != null) {
      return null;
    }
    Namespace stored = collectionOf(namespace.database());
    if (catalog.find(stored) == null) {
      return null;
    }
    RawDocument byName = new BsonBuilder().appendString("_id", namespace.full()).toDocument();
    List<ViewDefinition> found = read(FindRequest.of(stored, byName));
    if (found.isEmpty()) {
      return null;
    }
    if (found.getFirst() == null) {
      throw new CommandException(
          ErrorCode.INVALID_VIEW_DEFINITION,
          "Invalid view definition detected in the view catalog. Remove the invalid view manually"
              + " to prevent disallowing any further usage of the view catalog.");
    }
    return found.getFirst();
  }

  /** The views of a database, by name; without what is written down but no view. */
  public List<ViewDefinition> inDatabase(String database) {
    Namespace stored = collectionOf(database);
    if (catalog.find(stored) == null) {
      return List.of();
    }
    List<ViewDefinition> all = read(FindRequest.of(stored, RawDocument.EMPTY));
    all.removeIf(Objects::isNull);
    all.sort(Comparator.comparing(view -> view.namespace().collection()));
    return all;
  }

  /** Null stands for what is no view. */
  private List<ViewDefinition> read(FindRequest request) {
    var found = new ArrayList<ViewDefinition>();
    try (ResultCursor stored = reader.apply(request)) {
      for (RawDocument document; (document = stored.peek()) != null; stored.take()) {
        found.add(ViewDefinition.decode(document, request.namespace().database()));
      }
    }
    return found;
  }

  @Override
  public boolean contains(Namespace namespace) {
    return find(namespace) != null;
  }

  @Override
  public void refuse(Namespace namespace) {
    if (find(namespace) != null) {
      throw refused(namespace);
    }
  }

  /** The same where MongoDB says more about it. */
  public void refuse(Namespace namespace, String message) {
    if (find(namespace) != null) {
      throw new CommandException(ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, message);
    }
  }

  static CommandException refused(Namespace namespace) {
    return new CommandException(
        ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW,
        "Namespace " + namespace + " is a view, not a collection");
  }

  /** What a view reads in the end; null if the name is not that of a view. */
  public ResolvedView resolve(Namespace namespace) {
    ViewDefinition view = find(namespace);
    if (view == null) {
      return null;
    }
    Collation collation = view.collation();
    var pipelines = new ArrayList<RawDocument>();
    Namespace base = namespace;
    for (; view != null; view = find(base)) {
      if (pipelines.size() == DEPTH_MAX) {
        throw new CommandException(
            ErrorCode.VIEW_DEPTH_LIMIT_EXCEEDED,
            "View depth too deep or view cycle detected; maximum depth is " + DEPTH_MAX);
      }
      pipelines.add(view.pipeline());
      base = view.on();
    }
    return new ResolvedView(base, joined(pipelines.reversed()), collation);
  }

  /** The collections that a view reads in the end: at the bottom, and in stages of pipelines. */
  public Set<Namespace> sources(ResolvedView view) {
    var known = new HashSet<Namespace>(Set.of(view.base()));
    addSources(view.base().database(), view.pipeline(), known);
    return known;
  }

  /** The collections and views that stages of a pipeline read in the end, besides its own input. */
  public Set<Namespace> sources(String database, RawDocument pipeline) {
    var known = new HashSet<Namespace>();
    addSources(database, pipeline, known);
    return known;
  }

  private void addSources(String database, RawDocument pipeline, Set<Namespace> known) {
    var names = new LinkedHashSet<String>();
    ViewGraph.addSources(pipeline, names);
    for (String name : names) {
      var source = new Namespace(database, name);
      ResolvedView inner = known.add(source) ? resolve(source) : null;
      if (inner != null) {
        known.add(inner.base());
        addSources(inner.base().database(), inner.pipeline(), known);
      }
    }
  }

  /** Refuses a stage of a pipeline in another collation than that of the view which it reads. */
  public void checkCollation(Namespace namespace, Collation collation) {
    ViewDefinition view = find(namespace);
    if (view != null && !Collation.same(view.collation(), collation)) {
      throw new CommandException(
          ErrorCode.OPTION_NOT_SUPPORTED_ON_VIEW, "Cannot override a view's default collation");
    }
  }

  private static RawDocument joined(List<RawDocument> pipelines) {
    var all = new BsonBuilder();
    int count = 0;
    for (RawDocument pipeline : pipelines) {
      ElementCursor stages = pipeline.elements();
      while (stages.next()) {
        all.append(count++, stages.value());
      }
    }
    return all.toDocument();
  }
}
