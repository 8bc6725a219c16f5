package dev.wisent.pipeline.join;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueKey;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.NestedField;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.HeldMemory;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Frame;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What can be reached from documents, in the order of the distance. All documents of one distance
 * are read at once; no document is gone through twice, so that circles end.
 */
final class GraphMatches implements JoinMatches {
  /** What a document takes beside its bytes, with its {@code _id} and its place in the set. */
  private static final int DOCUMENT_OVERHEAD_BYTES = 200;

  /** What a value takes beside its bytes. */
  private static final int VALUE_OVERHEAD_BYTES = 120;

  private final GraphLookupStage stage;
  private final DocumentStream input;
  private final HeldMemory memory;
  private final OtherCollection foreign;
  private final Frame frame;

  /** The values that lead on, by what makes them equal. */
  private Map<ValueKey, RawValue> frontier = new LinkedHashMap<>();

  private final Set<ValueKey> visited = new HashSet<>();
  private List<RawDocument> found = new ArrayList<>();
  private long bytes;

  GraphMatches(GraphLookupStage stage, DocumentStream input, StageRun run) {
    this.stage = stage;
    this.input = input;
    this.memory = run.space().memory();
    this.frame = new Frame(run.space().meter());
    this.foreign = run.collection(null, stage.from(), stage.context().collation());
  }

  @Override
  public RawDocument next() {
    RawDocument document = input.next();
    if (document == null) {
      return null;
    }
    frame.on(RawDocument.of(document.toByteArray()));
    return frame.root();
  }

  @Override
  public DocumentStream matches() {
    search();
    Iterator<RawDocument> results = found.iterator();
    return () -> results.hasNext() ? results.next() : null;
  }

  private void search() {
    frontier.clear();
    visited.clear();
    found = new ArrayList<>();
    bytes = 0;
    memory.shrink(0);
    start(stage.startWith().evaluate(frame));
    for (long depth = 0; !frontier.isEmpty(); depth++) {
      if (stage.maxDepth() >= 0 && depth > stage.maxDepth()) {
        return;
      }
      Collection<RawValue> values = frontier.values();
      frontier = new LinkedHashMap<>();
      visit(values, depth);
    }
  }

  private void start(RawValue value) {
    if (value != null && value.isArray()) {
      ElementCursor elements = value.elements();
      while (elements.next()) {
        leadOn(elements.value());
      }
    } else if (value != null) {
      leadOn(value);
    }
  }

  private void leadOn(RawValue value) {
    if (value.type() == ElementType.UNDEFINED) {
      return;
    }
    RawValue kept = value.detached();
    var key = new ValueKey(Collation.key(stage.context().collation(), kept));
    if (frontier.putIfAbsent(key, kept) == null) {
      grow(kept.length() + VALUE_OVERHEAD_BYTES);
    }
  }

  private void grow(long more) {
    bytes += more;
    if (!memory.allows(bytes)) {
      throw new CommandException(
          ErrorCode.GRAPH_LOOKUP_STAGE_MEMORY, "$graphLookup reached maximum memory consumption");
    }
  }

  private void visit(Collection<RawValue> values, long depth) {
    try (OpenStream documents = open(List.copyOf(values))) {
      RawDocument document;
      while ((document = documents.next()) != null) {
        visit(document, depth);
      }
    }
  }

  private OpenStream open(List<RawValue> values) {
    String path = stage.connectTo().dotted();
    RawDocument filter = EqualityFilter.of(path, values);
    if (values.stream().anyMatch(value -> value.type() == ElementType.NULL)) {
      // What has no value is not led to.
      RawDocument exists =
          new BsonBuilder().startDocument(path).appendBoolean("$exists", true).end().toDocument();
      filter = EqualityFilter.both(filter, exists);
    }
    RawDocument both = EqualityFilter.both(stage.foreignFilter(), filter);
    return foreign.open(EqualityFilter.pipeline(both, stage.context()), stage.context());
  }

  private void visit(RawDocument document, long depth) {
    RawValue id = document.get("_id");
    if (id == null) {
      throw new CommandException(
          ErrorCode.GRAPH_LOOKUP_STAGE_WITHOUT_ID,
          "Documents in the '"
              + stage.from()
              + "' namespace must contain an _id for de-duplication in $graphLookup");
    }
    if (!visited.add(new ValueKey(id.detached()))) {
      return;
    }
    RawDocument result =
        stage.depthField() == null
            ? RawDocument.of(document.toByteArray())
            : NestedField.set(document, stage.depthField(), RawValue.ofInt64(depth));
    grow(result.length() + id.length() + DOCUMENT_OVERHEAD_BYTES);
    found.add(result);
    JoinValues.forEach(result, stage.connectFrom(), this::leadOn);
  }
}
