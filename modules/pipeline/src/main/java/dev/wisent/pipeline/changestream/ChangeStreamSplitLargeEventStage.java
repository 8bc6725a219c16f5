package dev.wisent.pipeline.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.StageSplit;
import dev.wisent.query.context.QueryContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;

/**
 * {@code $changeStreamSplitLargeEvent}: makes several documents of an event that is too large for
 * one. Each has fields of the event, and a token of its own.
 *
 * @param bytesMax how large an event may be
 */
public record ChangeStreamSplitLargeEventStage(int bytesMax) implements Stage {
  public static final String NAME = "$changeStreamSplitLargeEvent";

  /** What a reply needs beside an event. */
  private static final int RESERVED_BYTES = 8 * 1024;

  /** The name and type of {@code _id}, and {@code splitEvent} with its two numbers. */
  private static final int FRAGMENT_BYTES = 128;

  static ChangeStreamSplitLargeEventStage parse(RawValue argument) {
    if (!argument.isDocument() || !argument.asDocument().isEmpty()) {
      throw new CommandException(
          ErrorCode.SPLIT_LARGE_EVENT_NOT_EMPTY,
          "$changeStreamSplitLargeEvent spec should be an empty object");
    }
    return new ChangeStreamSplitLargeEventStage(
        Limits.DOCUMENT_BYTES_MAX_INTERNAL - RESERVED_BYTES);
  }

  @Override
  public List<RawDocument> explained() {
    return List.of(Stage.explained(NAME, RawDocument.EMPTY));
  }

  @Override
  public List<RawDocument> serialize() {
    return explained();
  }

  @Override
  public StageSplit split(QueryContext context) {
    return new StageSplit.OnShards();
  }

  @Override
  public boolean takesOneByOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    Queue<RawDocument> fragments = new ArrayDeque<>();
    return () -> {
      if (fragments.isEmpty()) {
        RawDocument event = input.next();
        if (event == null || event.length() <= bytesMax) {
          return event;
        }
        fragments.addAll(fragments(event));
      }
      return fragments.remove();
    };
  }

  /** A field of an event, with the bytes that it takes. */
  private record Field(String name, RawValue value, int bytes) {}

  /** Small fields first, so that there are few fragments; the order is always the same. */
  private List<RawDocument> fragments(RawDocument event) {
    RawDocument id = id(event);
    ResumeToken token = ResumeToken.parse(id);
    int room = bytesMax - 2 * id.length() - FRAGMENT_BYTES;
    List<List<Field>> groups = groups(event, room);
    var fragments = new ArrayList<RawDocument>();
    for (int i = 0; i < groups.size(); i++) {
      var out = new BsonBuilder();
      out.appendDocument("_id", token.ofFragment(i).toDocument());
      out.startDocument("splitEvent").appendInt32("fragment", i + 1);
      out.appendInt32("of", groups.size()).end();
      groups.get(i).forEach(field -> out.append(field.name(), field.value()));
      fragments.add(out.toDocument());
    }
    return fragments;
  }

  private static RawDocument id(RawDocument event) {
    RawValue id = event.get("_id");
    if (id == null || !id.isDocument()) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "Cannot split an event whose _id field, which contains the resume token, was modified by"
              + " the pipeline");
    }
    return id.asDocument();
  }

  private static List<List<Field>> groups(RawDocument event, int room) {
    var fields = new ArrayList<Field>();
    ElementCursor elements = event.elements();
    while (elements.next()) {
      if (!elements.name().equals("_id")) {
        fields.add(new Field(elements.name(), elements.value(), elements.elementLength()));
      }
    }
    if (fields.isEmpty()) {
      throw new CommandException(
          ErrorCode.SPLIT_EVENT_WITHOUT_FIELDS,
          "Cannot split an empty event or an event containing solely '_id' field");
    }
    fields.sort(Comparator.comparingInt(Field::bytes).thenComparing(Field::name));
    var groups = new ArrayList<List<Field>>();
    int bytes = 0;
    for (Field field : fields) {
      if (field.bytes() > room) {
        throw new CommandException(
            ErrorCode.SPLIT_EVENT_TOO_LARGE,
            "Splitting change event failed: fragment size %d is greater than maximum allowed"
                    .formatted(field.bytes())
                + " fragment size "
                + room);
      }
      if (groups.isEmpty() || bytes + field.bytes() > room) {
        groups.add(new ArrayList<>());
        bytes = 0;
      }
      groups.getLast().add(field);
      bytes += field.bytes();
    }
    return groups;
  }
}
