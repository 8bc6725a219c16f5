package dev.wisent.query.text;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.TouchedPaths;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a text index has of documents, from its specification as it is stored.
 *
 * @param weights what each field counts for, by path
 * @param wildcard whether all strings are indexed
 * @param defaultLanguage of documents that do not say theirs
 * @param languageField where a document, or one in it, says its language
 * @param before the fields of the keys in front of the term
 * @param after the fields of the keys behind the score
 */
public record TextIndexSpec(
    NavigableMap<String, Double> weights,
    boolean wildcard,
    TextLanguage defaultLanguage,
    String languageField,
    List<String> before,
    List<String> after) {
  /** The version of indexes that is supported: case and diacritics by Unicode. */
  public static final int VERSION = 3;

  /** The field of a key pattern that stands for the terms; its value there is {@link #KIND}. */
  public static final String TERM_FIELD = "_fts";

  /** The field of a key pattern that stands for the scores. */
  public static final String SCORE_FIELD = "_ftsx";

  /** In the place of a direction in a key pattern. */
  public static final String KIND = "text";

  /** All fields, in a key pattern or among weights. */
  public static final String WILDCARD = "$**";

  public TextIndexSpec {
    weights = new TreeMap<>(weights);
    before = List.copyOf(before);
    after = List.copyOf(after);
  }

  /** From a specification that has been checked. */
  public static TextIndexSpec of(RawDocument spec) {
    var weights = new TreeMap<String, Double>();
    boolean wildcard = false;
    ElementCursor fields = spec.get("weights").elements();
    while (fields.next()) {
      if (fields.name().equals(WILDCARD)) {
        wildcard = true;
      } else {
        weights.put(fields.name(), fields.value().toDouble());
      }
    }
    var before = new ArrayList<String>();
    var after = new ArrayList<String>();
    boolean passed = false;
    ElementCursor key = spec.get("key").elements();
    while (key.next()) {
      if (key.name().equals(TERM_FIELD) || key.name().equals(SCORE_FIELD)) {
        passed = true;
      } else {
        (passed ? after : before).add(key.name());
      }
    }
    return new TextIndexSpec(
        weights,
        wildcard,
        TextLanguage.find(spec.get("default_language").asString()),
        spec.get("language_override").asString(),
        before,
        after);
  }

  /** The language of a document; that of the one around it if it does not say its own. */
  TextLanguage language(RawDocument document, TextLanguage outer) {
    RawValue own = document.get(languageField);
    if (own == null) {
      return outer;
    }
    if (!own.isString()) {
      throw new CommandException(
          ErrorCode.LANGUAGE_OVERRIDE_TYPE,
          "found language override field in document with non-string type");
    }
    TextLanguage language = TextLanguage.find(own.asString());
    if (language == null) {
      throw new CommandException(
          ErrorCode.LANGUAGE_OVERRIDE_UNSUPPORTED,
          "language override unsupported: " + own.asString());
    }
    return language;
  }

  /** Whether a change of these paths may change the terms of a document. */
  public boolean mayBeAffectedBy(TouchedPaths touched) {
    return wildcard
        || touched.mayAffect(languageField)
        || weights.keySet().stream().anyMatch(path -> isAffected(path, touched));
  }

  /** A field may also be in another language than before. */
  private boolean isAffected(String path, TouchedPaths touched) {
    if (touched.mayAffect(path)) {
      return true;
    }
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      if (touched.mayAffect(path.substring(0, dot + 1) + languageField)) {
        return true;
      }
    }
    return false;
  }
}
