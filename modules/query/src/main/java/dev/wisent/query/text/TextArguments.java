package dev.wisent.query.text;

/**
 * The argument of {@code $text}.
 *
 * @param language empty for that of the index
 */
public record TextArguments(
    String search, String language, boolean caseSensitive, boolean diacriticSensitive) {}
