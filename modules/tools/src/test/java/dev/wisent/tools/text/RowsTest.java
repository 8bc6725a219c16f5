package dev.wisent.tools.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowsTest {
  private static final int CHARS_MAX = 1_000;

  /** A character again and again. */
  private static Reader endless(char c) {
    return new Reader() {
      @Override
      public int read(char[] buffer, int offset, int length) {
        Arrays.fill(buffer, offset, offset + length, c);
        return length;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void aRowWithoutAnEndIsRefused() {
    for (char c : new char[] {'a', ','}) {
      assertThatThrownBy(() -> Rows.csv(endless(c), CHARS_MAX).next())
          .isInstanceOf(TextException.class)
          .hasMessageContaining("line 1: the row is larger than any");
    }
  }

  @Test
  void aQuoteThatIsNotClosedIsFoundBeforeTheEnd() throws IOException, TextException {
    String text = "a,b\n1,\"2\n" + "3,4\n".repeat(CHARS_MAX);
    Rows rows = Rows.csv(new StringReader(text), CHARS_MAX);
    assertThat(rows.next()).containsExactly("a", "b");
    assertThatThrownBy(rows::next)
        .isInstanceOf(TextException.class)
        .hasMessage("line 2: the row is larger than any; is a quote not closed?");
  }

  @Test
  void theLimitIsOfEachRow() throws IOException, TextException {
    String row = "a".repeat(CHARS_MAX - 1) + ",\n";
    Rows rows = Rows.csv(new StringReader(row.repeat(3)), CHARS_MAX);
    for (int i = 0; i < 3; i++) {
      assertThat(rows.next()).hasSize(2);
    }
    assertThat(rows.next()).isNull();
  }
}
