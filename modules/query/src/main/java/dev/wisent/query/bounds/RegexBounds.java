package dev.wisent.query.bounds;

import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.match.RegexMatch;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Strings that a regular expression may match, and the stored expression that is the same. */
final class RegexBounds {
  private RegexBounds() {}

  static PredicateBounds of(RegexMatch regex) {
    Interval strings =
        regex.prefix().map(RegexBounds::startingWith).orElse(TypeBracket.of(ElementType.STRING));
    return new PredicateBounds(
        Intervals.union(List.of(strings, Interval.point(value(regex)))),
        regex.isPrefixOnly() ? Tightness.EXACT : Tightness.KEY);
  }

  /** The same for an index that has other keys than the strings: any of them may match. */
  static PredicateBounds ofAnyString(RegexMatch regex) {
    return new PredicateBounds(
        Intervals.union(List.of(TypeBracket.of(ElementType.STRING), Interval.point(value(regex)))),
        Tightness.FETCH);
  }

  private static Interval startingWith(String prefix) {
    RawValue low = RawValue.ofString(prefix);
    int last = prefix.codePointBefore(prefix.length());
    if (last == Character.MAX_CODE_POINT) {
      return new Interval(low, true, TypeBracket.of(ElementType.STRING).high(), false);
    }
    int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
    String start = prefix.substring(0, prefix.length() - Character.charCount(last));
    return new Interval(low, true, RawValue.ofString(start + Character.toString(next)), false);
  }

  private static RawValue value(RegexMatch regex) {
    byte[] bytes =
        (regex.pattern() + '\0' + regex.options() + '\0').getBytes(StandardCharsets.UTF_8);
    return new RawValue(ElementType.REGEX, bytes, 0, bytes.length);
  }
}
