package dev.wisent.query.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextTokenizerTest {
  private static final TokenForm ALL = new TokenForm(false, false, false);
  private static final TokenForm CASE = new TokenForm(false, true, false);
  private static final TokenForm DIACRITICS = new TokenForm(false, false, true);
  private static final TokenForm BOTH = new TokenForm(false, true, true);

  /** What MongoDB's own tokenizer makes of these. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          english | Do you see Mark's dog running?            | do you see mark dog run
          english | '  , Do you see Mark''s dog running?   '  | do you see mark dog run
          english | '   '                                     | ''
          english | ''                                        | ''
          english | snake_case kebab-case a.b:c (d) e+f       | snake_cas kebab case a b c d e f
          english | foo^bar `x` a~b                           | foo bar x a b
          french  | Voyez-vous «le chien» de Mark courante? C'est bien! | voi vous le chien de mark cour c est bien
          french  | parlames, parlates, parlerent, parlâmes, parlâtes, parlèrent | parlam parlat parlerent parl parl parl
          turkish | KAÇ YAŞINDASIN SEN, VE SEN NEREDEN VARDIR? | kac yas sen ve sen nere var
          none    | Running DOGS aren't café                  | running dogs aren t cafe
          russian | Собаки бежали                             | собак бежа
          german  | Die Häuser am Fluß                        | die haus am fluss
          none    | Ａｂｃ 日本語 ｶﾅ。終                          | ａｂｃ 日本語 ｶﾅ 終
          none    | 😀👍 emoji                                 | 😀👍 emoji
          """)
  void tokens(String language, String text, String expected) {
    List<String> words = expected.isEmpty() ? List.of() : List.of(expected.split(" "));
    assertThat(tokens(language, text, ALL)).isEqualTo(words);
  }

  @Test
  void caseAndDiacriticsCanBeKept() {
    String text = "KAÇ YAŞINDASIN SEN, VE SEN NEREDEN VARDIR?";
    assertThat(tokens("turkish", text, CASE))
        .containsExactly("KAC", "YASINDASIN", "SEN", "VE", "SEN", "NEREDEN", "VARDIR");
    assertThat(tokens("turkish", text, DIACRITICS))
        .containsExactly("kaç", "yaş", "sen", "ve", "sen", "nere", "var");
    assertThat(tokens("turkish", text, BOTH))
        .containsExactly("KAÇ", "YAŞINDASIN", "SEN", "VE", "SEN", "NEREDEN", "VARDIR");
  }

  /** A word is a stop word with its diacritics only. */
  @Test
  void stopWordsKnowDiacritics() {
    assertThat(
            tokens("french", "Je ne vais pas meme énervé. Je vais même excité.", TokenForm.INDEXED))
        .containsExactly("vais", "mem", "enerv", "vais", "excit");
  }

  /** Of each language a stop word, and a word with its stem. */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          danish,     da, jeg,      hestene,       hest
          dutch,      nl, het,      lichamelijk,   licham
          english,    en, the,      generously,    generous
          finnish,    fi, olla,     taloissa,      talo
          french,     fr, nous,     continuellement, continuel
          german,     de, nicht,    Aufenthalte,   aufenthalt
          hungarian,  hu, hogy,     babakocsijáért, babakocs
          italian,    it, questo,   abbandonata,   abbandon
          norwegian,  nb, jeg,      havnedistriktene, havnedistrikt
          portuguese, pt, você,     quilométricas, quilometr
          romanian,   ro, acest,    abandonată,    abandon
          russian,    ru, меня,     вавиловкой,    вавиловк
          spanish,    es, nosotros, chicharrones,  chicharron
          swedish,    sv, jag,      klostergården, klostergard
          turkish,    tr, için,     kitaplar,      kitap
          """)
  void everyLanguage(String name, String code, String stopWord, String word, String stem) {
    assertThat(TextLanguage.find(code)).isSameAs(TextLanguage.find(name)).isNotNull();
    assertThat(TextLanguage.find(name.toUpperCase(java.util.Locale.ROOT))).isNotNull();
    assertThat(tokens(name, stopWord + " " + word, TokenForm.INDEXED)).containsExactly(stem);
  }

  @Test
  void otherNamesAreNoLanguages() {
    assertThat(TextLanguage.find("klingon")).isNull();
    assertThat(TextLanguage.find("")).isNull();
    assertThat(TextLanguage.find("no")).isNull();
    assertThat(TextLanguage.find("None")).isSameAs(TextLanguage.NONE);
  }

  /** Words come from the table of stems the second time. */
  @Test
  void sameWordSameTerm() {
    var tokenizer = new TextTokenizer(TextLanguage.ENGLISH);
    for (int i = 0; i < 3; i++) {
      assertThat(tokenizer.start("Cafés running", TokenForm.INDEXED).next()).isEqualTo("cafe");
      assertThat(tokenizer.next()).isEqualTo("run");
      assertThat(tokenizer.next()).isNull();
      assertThat(tokenizer.start("Cafés", DIACRITICS).next()).isEqualTo("café");
    }
  }

  private static List<String> tokens(String language, String text, TokenForm form) {
    TextTokenizer tokenizer = new TextTokenizer(TextLanguage.find(language)).start(text, form);
    var tokens = new ArrayList<String>();
    for (String token = tokenizer.next(); token != null; token = tokenizer.next()) {
      tokens.add(token);
    }
    return tokens;
  }
}
