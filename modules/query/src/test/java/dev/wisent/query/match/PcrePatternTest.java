package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where PCRE and Java differ. */
class PcrePatternTest {
  private static void found(String pattern, String options, String text) {
    assertThat(PcrePattern.compile(pattern, options).matcher(text).find())
        .as("/%s/%s in %s", pattern, options, text)
        .isTrue();
  }

  private static void notFound(String pattern, String options, String text) {
    assertThat(PcrePattern.compile(pattern, options).matcher(text).find())
        .as("/%s/%s in %s", pattern, options, text)
        .isFalse();
  }

  @Test
  void onlyLineFeedsEndLines() {
    found("a.b", "", "a\rb");
    found("a.b", "", "a\u2028b");
    notFound("a.b", "", "a\nb");
    found("a$", "", "a\n");
    notFound("a$", "", "a\r");
    notFound("a$", "", "a\nb");
    found("a$", "m", "a\nb");
    notFound("^b", "m", "a\rb");
    found("a\\Nb", "", "a\rb");
    notFound("a\\Nb", "s", "a\nb");
  }

  @Test
  void ignoringCaseIsUnicode() {
    found("É", "i", "é");
    found("(?i)é", "", "É");
    found("(?i:é)x", "", "Éx");
    notFound("(?i:é)x", "", "ÉX");
    notFound("\\w", "", "é");
    notFound("\\d", "", "٣");
    found("(*UCP)\\w", "", "é");
    found("(*UTF8)é", "", "é");
  }

  @Test
  void classes() {
    found("^[[:alpha:]_]+$", "", "a_b");
    notFound("^[[:alpha:]]+$", "", "a1");
    found("^[^[:space:]]$", "", "x");
    found("^[[:^digit:]]$", "", "x");
    found("^[[:word:]]$", "", "_");
    notFound("^[[:^word:]]$", "", "_");
    found("^[]a]+$", "", "]a");
    found("^[^]a]+$", "", "bc");
    found("^[a[b]$", "", "[");
    found("^[a&&b]+$", "", "&a");
    found("^[\\w-.]+$", "", "a-.");
    found("^[.-\\d]+$", "", "-1.");
    found("^[a-c]$", "", "b");
    found("^[a\\-c]+$", "", "a-c");
    notFound("^[a\\-c]$", "", "b");
    found("^[\\b]$", "", "\b");
    found("^[\\101]$", "", "A");
    found("^[\\x41-\\x43]$", "", "B");
    found("^[\\Q]^\\E]+$", "", "]^");
    found("^[\\]]$", "", "]");
    found("^[\\p{Lu}]$", "", "É");
    found("^[ #]+$", "x", "# ");
    found("^[a^]+$", "", "^a");
    found("^[💩]$", "", "💩");
  }

  @Test
  void extendedMode() {
    found("a b # comment (\n c", "x", "abc");
    found("(?x) a b #c\n", "", "ab");
    found("(?x: a b )\\ c d", "", "ab c d");
    found("(?#comment)ab", "", "ab");
    found("#", "", "#");
    found("(?:(?x)a b)#", "", "ab#");
  }

  @Test
  void groupsAndReferences() {
    found("^(?P<x_y>a)(?P=x_y)$", "", "aa");
    found("^(?<x>a)\\k{x}$", "", "aa");
    found("^(?'x'a)\\k'x'\\k<x>$", "", "aaa");
    found("^(a)(b)\\g1\\g{2}\\g{-2}$", "", "ababa");
    found("^(a)\\g{-1}2$", "", "aa2");
    found("^(a)\\1$", "", "aa");
    found("^(?<x>a)\\g{x}$", "", "aa");
    found("^(?>a+)b$", "", "aab");
    found("(?<=a)b", "", "ab");
    found("(?<!a)b", "", "cb");
    found("(?=a)a(?!c)", "", "ab");
    found("^(a)(?-i:b)$", "i", "Ab");
  }

  @Test
  void bracesAndCharacters() {
    found("^a{$", "", "a{");
    found("^{a}$", "", "{a}");
    found("^a{,3}$", "", "a{,3}");
    found("^a{2}b{1,}c{0,1}$", "", "aab");
    found("^\\x{1F4A9}\\x41\\x9$", "", "💩A\t");
    found("^\\0\\012\\o{101}$", "", "\0\nA");
    found("^\\cA$", "", "\u0001");
    found("^\\Qa.b\\E+$", "", "a.bb");
    found("^\\Qa*", "", "a*");
    found("^a\\Eb$", "", "ab");
    found("^\\/\\_\\-\\ $", "", "/_- ");
    found("^\\p{Greek}\\p{^Lu}\\PL\\p{L&}$", "", "αa1A");
    found("^\\p{Any}$", "", "x");
    found("^\\h\\R$", "", "\t\r\n");
    found("\\bword\\b", "", "a word.");
    found("^\\12$", "", "\n");
    found("a++b", "", "aab");
    found("a*?b", "", "aab");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(?R)",
        "(?1)",
        "(a)(?+1)",
        "(?&x)",
        "(?P>x)",
        "(?(1)a|b)",
        "(?|a|b)",
        "a\\Kb",
        "\\C",
        "a(*SKIP)b",
        "(*CRLF)a",
        "\\g<1>",
        "(?C1)",
        "(?U)a"
      })
  void notAvailable(String pattern) {
    assertThatThrownBy(() -> PcrePattern.compile(pattern, ""))
        .isInstanceOf(CommandException.class)
        .hasMessageEndingWith("not supported yet");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(",
        ")",
        "[",
        "[a",
        "a**",
        "+",
        "\\",
        "[\\",
        "\\y",
        "a{2,1}",
        "a{70000}",
        "[b-a]",
        "[[:foo:]]",
        "(?<>a)",
        "(?P=x",
        "\\k",
        "\\x{110000}",
        "\\p{",
        "\\p{Foo}",
        "(?#",
        "(?z)",
        "\\1",
        "(a)\\2",
        "[\\R]",
        "\\c"
      })
  void invalid(String pattern) {
    assertThatThrownBy(() -> PcrePattern.compile(pattern, ""))
        .as(pattern)
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("Regular expression is invalid: ");
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> PcrePattern.compile("(".repeat(251) + ")".repeat(251), ""))
        .hasMessage("Regular expression is invalid: parentheses are too deeply nested");
    found("(".repeat(250) + "a" + ")".repeat(250), "", "a");
  }
}
