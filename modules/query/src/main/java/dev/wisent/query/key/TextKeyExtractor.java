package dev.wisent.query.key;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.text.TermKey;
import dev.wisent.query.text.TermScores;
import dev.wisent.query.text.TextIndexSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One key for each term of a document: the fields in front, the term, its score, and the fields
 * behind. None of those fields may be an array. A document without any term has no key.
 */
final class TextKeyExtractor implements KeyExtractor {
  private final List<KeyPattern.Field> fields;
  private final int termField;
  private final int ident;
  private final TermScores scores;
  private final RawValue[] others;
  private final IndexKeyV1.Encoder encoder = new IndexKeyV1.Encoder();
  private boolean severalKeys;

  TextKeyExtractor(KeyPattern pattern, TextIndexSpec text, int ident) {
    this.fields = pattern.fields();
    this.termField = pattern.fieldOf(KeyPattern.FieldKind.TERM);
    this.ident = ident;
    this.scores = new TermScores(text);
    this.others = new RawValue[fields.size()];
  }

  @Override
  public void extract(RawDocument document, KeySink sink) {
    readOthers(document);
    Map<String, Double> terms = scores.of(document);
    severalKeys = terms.size() > 1;
    terms.forEach((term, score) -> sink.accept(encode(term, score)));
  }

  private IndexKeyV1.Encoder encode(String term, double score) {
    encoder.reset();
    encoder.appendIdent(ident);
    for (int i = 0; i < others.length; i++) {
      if (i == termField) {
        encoder.append(TermKey.of(term), false);
      } else if (i == termField + 1) {
        encoder.append(RawValue.ofDouble(score), false);
      } else {
        encoder.append(others[i], fields.get(i).descending());
      }
    }
    return encoder;
  }

  private void readOthers(RawDocument document) {
    for (int i = 0; i < others.length; i++) {
      if (i == termField || i == termField + 1) {
        continue;
      }
      RawValue value = PlainValues.valueOrArray(document, fields.get(i).path());
      if (value != null && value.isArray()) {
        throw new CommandException(
            ErrorCode.CANNOT_BUILD_INDEX_KEYS,
            "Field '"
                + fields.get(i).path()
                + "' of text index contains an array in document: "
                + ValueText.of(document));
      }
      others[i] = value == null ? RawValue.NULL : value;
    }
  }

  @Override
  public boolean multikey() {
    return severalKeys;
  }

  /** Terms are several values of one field, as if that were an array. */
  @Override
  public long arrayParts(int field) {
    return severalKeys && field == termField ? 1 : 0;
  }

  @Override
  public Set<FieldPath> arrayPaths() {
    return Set.of();
  }
}
