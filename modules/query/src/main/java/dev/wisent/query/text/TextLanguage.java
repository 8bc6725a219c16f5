package dev.wisent.query.text;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The languages that text can be in, by the names and the codes that MongoDB has for them. */
public enum TextLanguage {
  /** Words are taken as they are: no stemming and no stop words. */
  NONE(null),
  DANISH("da"),
  DUTCH("nl"),
  ENGLISH("en"),
  FINNISH("fi"),
  FRENCH("fr"),
  GERMAN("de"),
  HUNGARIAN("hu"),
  ITALIAN("it"),
  NORWEGIAN("nb"),
  PORTUGUESE("pt"),
  ROMANIAN("ro"),
  RUSSIAN("ru"),
  SPANISH("es"),
  SWEDISH("sv"),
  TURKISH("tr");

  private static final Map<String, TextLanguage> BY_NAME =
      Stream.of(values())
          .flatMap(
              language ->
                  language.code == null
                      ? Stream.of(Map.entry(language.text, language))
                      : Stream.of(
                          Map.entry(language.text, language), Map.entry(language.code, language)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final String text;
  private final String code;

  TextLanguage(String code) {
    this.text = name().toLowerCase(Locale.ROOT);
    this.code = code;
  }

  /** The language of a name or code, in any case; null if there is none. */
  public static TextLanguage find(String nameOrCode) {
    return BY_NAME.get(nameOrCode.toLowerCase(Locale.ROOT));
  }

  /** The name in small letters, as indexes have it. */
  public String text() {
    return text;
  }
}
