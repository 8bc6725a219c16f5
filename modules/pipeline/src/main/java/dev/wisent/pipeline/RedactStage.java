package dev.wisent.pipeline;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import java.util.List;

/**
 * {@code $redact}: an expression says of a document, and of those in it, which are kept.
 *
 * @param slots where the variables that only this stage has are in a frame
 */
public record RedactStage(Expression expression, Slots slots) implements Stage {
  private static final RawValue DESCEND = RawValue.ofString("descend");
  private static final RawValue PRUNE = RawValue.ofString("prune");
  private static final RawValue KEEP = RawValue.ofString("keep");

  /** The numbers of the variables. */
  public record Slots(int descend, int prune, int keep, int current) {}

  static RedactStage parse(RawValue argument, QueryContext context) {
    ExpressionParser descend = ExpressionParser.of(context).defineOfSystem("DESCEND");
    ExpressionParser prune = descend.defineOfSystem("PRUNE");
    ExpressionParser keep = prune.defineOfSystem("KEEP");
    ExpressionParser current = keep.define("CURRENT");
    var slots = new Slots(descend.slot(), prune.slot(), keep.slot(), current.slot());
    return new RedactStage(current.parse(argument).optimize(), slots);
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
  public List<RawDocument> explained() {
    return List.of(new BsonBuilder().append("$redact", expression.serialize()).toDocument());
  }

  @Override
  public Sight addDependencies(Dependencies dependencies) {
    dependencies.addWholeDocument();
    expression.addDependencies(dependencies);
    return Sight.OF_INPUT;
  }

  @Override
  public boolean makesOneOfOne() {
    return true;
  }

  @Override
  public DocumentStream over(DocumentStream input, StageRun run) {
    var frame = new Frame(run.space().meter());
    frame.set(slots.descend(), DESCEND);
    frame.set(slots.prune(), PRUNE);
    frame.set(slots.keep(), KEEP);
    var out = new BsonBuilder();
    return () -> {
      RawDocument document;
      while ((document = input.next()) != null) {
        out.reset(0);
        if (append(document, frame.on(document), out)) {
          out.end();
          return new RawDocument(out.bytes(), 0, out.position());
        }
      }
      return null;
    };
  }

  /** Adds what is left of a document's fields; false if nothing, not even the document. */
  private boolean append(RawDocument document, Frame frame, BsonBuilder out) {
    frame.set(slots.current(), RawValue.ofDocument(document));
    RawValue answer = expression.evaluate(frame);
    if (KEEP.equals(answer)) {
      out.appendAll(document);
      return true;
    }
    if (PRUNE.equals(answer)) {
      return false;
    }
    if (!DESCEND.equals(answer)) {
      throw new CommandException(
          ErrorCode.REDACT_STAGE_RESULT,
          "$redact's expression should not return anything aside from the variables $$KEEP,"
              + " $$DESCEND, and $$PRUNE, but returned "
              + (answer == null ? "MISSING" : ValueText.of(answer)));
    }
    ElementCursor fields = document.elements();
    while (fields.next()) {
      switch (fields.type()) {
        case ElementType.DOCUMENT -> {
          int before = out.position();
          out.startUnderNameOf(fields, ElementType.DOCUMENT);
          close(append(fields.value().asDocument(), frame, out), before, out);
        }
        case ElementType.ARRAY -> {
          out.startUnderNameOf(fields, ElementType.ARRAY);
          appendElements(fields.value(), frame, out);
          out.end();
        }
        default -> out.appendElement(fields);
      }
    }
    return true;
  }

  /** Adds what is left of an array's elements; arrays in it are looked through too. */
  private void appendElements(RawValue array, Frame frame, BsonBuilder out) {
    int index = 0;
    ElementCursor elements = array.elements();
    while (elements.next()) {
      switch (elements.type()) {
        case ElementType.DOCUMENT -> {
          int before = out.position();
          out.startDocument(index);
          if (close(append(elements.value().asDocument(), frame, out), before, out)) {
            index++;
          }
        }
        case ElementType.ARRAY -> {
          out.startArray(index++);
          appendElements(elements.value(), frame, out);
          out.end();
        }
        default -> out.append(index++, elements.value());
      }
    }
  }

  private static boolean close(boolean kept, int before, BsonBuilder out) {
    out.end();
    if (!kept) {
      out.truncate(before);
    }
    return kept;
  }
}
