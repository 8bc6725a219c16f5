package dev.wisent.query.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SearchStringTest {
  /** Phrases are shown with a comma between them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      textBlock =
          """
          ~~                             ; ~~                 ; ~~       ; ~~            ; ~~
          this is fun                    ; this is fun        ; ~~       ; ~~            ; ~~
          this is -really fun            ; this is fun        ; really   ; ~~            ; ~~
          -really fun                    ; fun                ; really   ; ~~            ; ~~
          - really fun                   ; really fun         ; ~~       ; ~~            ; ~~
          case-insensitive search        ; case insensitive search ; ~~  ; ~~            ; ~~
          -foo-bar baz                   ; baz                ; foo bar  ; ~~            ; ~~
          doing a "phrase test" for fun  ; doing a phrase test for fun ; ~~ ; phrase test ; ~~
          doing a -"phrase test" for fun ; doing a for fun    ; ~~       ; ~~            ; phrase test
          doing a - "phrase test"        ; doing a phrase test ; ~~      ; phrase test   ; ~~
          -"foo bar"-"baz quux"          ; ~~                 ; ~~       ; ~~            ; foo bar,baz quux
          -"foo bar" "baz quux"          ; baz quux           ; ~~       ; baz quux      ; foo bar
          "foo -bar"                     ; foo bar            ; ~~       ; foo -bar      ; ~~
          "open phrase                   ; open phrase        ; ~~       ; ~~            ; ~~
          "a" "b"                        ; a b                ; ~~       ; a,b           ; ~~
          """)
  void parts(String search, String words, String negated, String phrases, String negatedPhrases) {
    SearchString parsed = SearchString.parse(search);
    assertThat(parsed.words().strip()).isEqualTo(words);
    assertThat(parsed.negatedWords().strip()).isEqualTo(negated);
    assertThat(String.join(",", parsed.phrases())).isEqualTo(phrases);
    assertThat(String.join(",", parsed.negatedPhrases())).isEqualTo(negatedPhrases);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      textBlock =
          """
          Running cats  ; false ; false ; cat,run ; cat,run
          Running Cats  ; true  ; false ; cat,run ; Cat,Run
          Café          ; false ; true  ; cafe    ; café
          the           ; false ; false ; ~~      ; ~~
          """)
  void terms(
      String search, boolean caseSensitive, boolean diacritics, String indexed, String wanted) {
    TextSearch parsed =
        TextSearch.parse(
            new TextArguments(search, "", caseSensitive, diacritics), TextLanguage.ENGLISH);
    assertThat(List.copyOf(parsed.indexedTerms())).isEqualTo(list(indexed));
    assertThat(List.copyOf(parsed.terms())).isEqualTo(list(wanted));
  }

  private static List<String> list(String names) {
    return names.isEmpty() ? List.of() : List.of(names.split(","));
  }
}
