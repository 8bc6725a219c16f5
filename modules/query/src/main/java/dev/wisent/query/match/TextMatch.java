package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.text.TextArguments;
import dev.wisent.query.text.TextIndexSpec;
import dev.wisent.query.text.TextMatcher;
import dev.wisent.query.text.TextSearch;
import java.util.List;

/**
 * {@code $text}. Which fields it is about only the text index of a collection knows, so a filter
 * has to be bound to that before documents can be asked.
 *
 * @param index the index that the search is bound to; null before
 * @param search what it comes to with the language of that index; null before
 */
public record TextMatch(TextArguments arguments, TextIndexSpec index, TextSearch search)
    implements MatchExpression {
  static MatchExpression parse(MatchParser parser, Operand operand) {
    if (parser.isInSubdocument()) {
      throw MatchErrors.badValue("$text can only be applied to the top-level document");
    }
    if (!operand.value().isDocument()) {
      throw MatchErrors.badValue("$text expects an object");
    }
    RawDocument given = operand.value().asDocument();
    RawValue search = typed(given, "$search", ElementType.STRING);
    if (search == null) {
      throw new CommandException(ErrorCode.NO_SUCH_KEY, "Missing expected field \"$search\"");
    }
    RawValue language = typed(given, "$language", ElementType.STRING);
    RawValue caseSensitive = typed(given, "$caseSensitive", ElementType.BOOLEAN);
    RawValue diacriticSensitive = typed(given, "$diacriticSensitive", ElementType.BOOLEAN);
    int expected =
        1
            + (language == null ? 0 : 1)
            + (caseSensitive == null ? 0 : 1)
            + (diacriticSensitive == null ? 0 : 1);
    if (given.fieldCount() != expected) {
      throw MatchErrors.badValue("extra fields in $text");
    }
    return new TextMatch(
        new TextArguments(
            search.asString(),
            language == null ? "" : language.asString(),
            caseSensitive != null && caseSensitive.asBoolean(),
            diacriticSensitive != null && diacriticSensitive.asBoolean()),
        null,
        null);
  }

  private static RawValue typed(RawDocument given, String name, byte type) {
    RawValue value = given.get(name);
    if (value != null && value.type() != type) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "\"%s\" had the wrong type. Expected %s, found %s"
              .formatted(name, ElementType.alias(type), ElementType.alias(value.type())));
    }
    return value;
  }

  /**
   * The {@code $text} of a filter; null if there is none.
   *
   * @throws CommandException if there is one that cannot be answered, or a second
   */
  public static TextMatch in(MatchExpression filter) {
    return switch (filter) {
      case TextMatch text -> text;
      case AndMatch and -> in(and.children());
      case OrMatch or -> in(or.children());
      case NorMatch nor -> {
        if (in(nor.children()) != null) {
          throw MatchErrors.badValue("text expression not allowed in nor");
        }
        yield null;
      }
      default -> null;
    };
  }

  private static TextMatch in(List<MatchExpression> children) {
    TextMatch found = null;
    for (int i = 0; i < children.size(); i++) {
      TextMatch next = in(children.get(i));
      if (next != null && found != null) {
        throw MatchErrors.badValue("Too many text expressions");
      }
      found = next == null ? found : next;
    }
    return found;
  }

  /** A filter with its {@code $text} bound to an index. */
  public static MatchExpression bind(MatchExpression filter, TextIndexSpec index) {
    return switch (filter) {
      case TextMatch text ->
          new TextMatch(
              text.arguments, index, TextSearch.parse(text.arguments, index.defaultLanguage()));
      case AndMatch and -> new AndMatch(bind(and.children(), index));
      case OrMatch or -> new OrMatch(bind(or.children(), index));
      default -> filter;
    };
  }

  private static List<MatchExpression> bind(List<MatchExpression> children, TextIndexSpec index) {
    return children.stream().map(child -> bind(child, index)).toList();
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    if (index == null) {
      throw MatchErrors.badValue("$text is not allowed in this context");
    }
    return new TextMatcher(index, search).matches(root.asDocument());
  }

  @Override
  public boolean matchesValue(RawValue value) {
    throw new IllegalStateException("$text is about documents");
  }
}
