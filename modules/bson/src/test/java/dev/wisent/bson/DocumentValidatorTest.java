package dev.wisent.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DocumentValidatorTest {
  /** {@code -Dwisent.fuzz.rounds=10000000} for a run by hand. */
  private static final int MUTATIONS = Integer.getInteger("wisent.fuzz.rounds", 30_000);

  private static final List<RawDocument> SAMPLES =
      List.of(
          RawDocument.EMPTY,
          RawDocument.parse("{_id: 1, name: 'Köln', tags: ['a', 'b'], nested: {x: {y: null}}}"),
          RawDocument.parse(
              """
              {d: 1.5, s: 'text', o: {k: 1}, a: [1, [2]], b: {$binary: {base64: 'AQI=', subType: '00'}},
               old: {$binary: {base64: 'AQI=', subType: '02'}}, u: {$undefined: true},
               oid: {$oid: '0102030405060708090a0b0c'}, t: true, f: false, date: {$date: 0}, n: null,
               re: {$regularExpression: {pattern: 'a+', options: 'i'}},
               ptr: {$dbPointer: {'$ref': 'db.c', '$id': {'$oid': '0102030405060708090a0b0c'}}},
               code: {$code: 'f()'}, sym: {$symbol: 'sym'}, cws: {$code: 'g()', $scope: {v: {w: 1}}},
               i: 7, ts: {$timestamp: {t: 1, i: 2}}, l: {$numberLong: '8'},
               dec: {$numberDecimal: '1.10'}, min: {$minKey: 1}, max: {$maxKey: 1}}
              """));

  private static CommandException refusal(byte[] bytes) {
    try {
      DocumentValidator.validate(bytes, 0, bytes.length, 200);
    } catch (CommandException e) {
      return e;
    }
    throw new AssertionError("accepted " + HexFormat.of().formatHex(bytes));
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Test
  void samplesAreAccepted() {
    for (RawDocument sample : SAMPLES) {
      assertThat(ValidatedDocuments.checkUsableOrRefused(sample.bytes())).isTrue();
    }
  }

  @Test
  void everyTruncationIsRefused() {
    for (RawDocument sample : SAMPLES) {
      byte[] bytes = sample.bytes();
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThat(ValidatedDocuments.checkUsableOrRefused(cut)).isFalse();
        if (length >= 4) {
          LittleEndian.putInt32(cut, 0, length);
          ValidatedDocuments.checkUsableOrRefused(cut);
        }
      }
    }
  }

  @Test
  void everySingleByteMutationIsAcceptedOrRefusedCleanly() {
    for (RawDocument sample : SAMPLES) {
      byte[] bytes = sample.toByteArray();
      for (int at = 0; at < bytes.length; at++) {
        byte original = bytes[at];
        for (int value = 0; value < 256; value++) {
          bytes[at] = (byte) value;
          ValidatedDocuments.checkUsableOrRefused(bytes);
        }
        bytes[at] = original;
      }
    }
  }

  @Test
  void randomMutationsAreAcceptedOrRefusedCleanly() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new SplittableRandom(seed);
    var values = new RandomValues(random);
    try {
      for (int i = 0; i < MUTATIONS; i++) {
        byte[] bytes = values.document(4).toByteArray();
        assertThat(ValidatedDocuments.checkUsableOrRefused(bytes)).isTrue();
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
          bytes[random.nextInt(bytes.length)] =
              (byte) random.nextInt(random.nextBoolean() ? 32 : 256);
        }
        LittleEndian.putInt32(bytes, 0, bytes.length);
        ValidatedDocuments.checkUsableOrRefused(bytes);
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void messagesNameTheElement() {
    RawDocument document = RawDocument.parse("{a: {b: [1, {name: true}]}}");
    byte[] bytes = document.toByteArray();
    int value = bytes.length - 5;
    assertThat(bytes[value]).isEqualTo((byte) 1);
    bytes[value] = 2;
    CommandException e = refusal(bytes);
    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_BSON);
    assertThat(e)
        .hasMessage(
            "BSON bool is neither false nor true in element with field name 'a.b.1.name' at offset "
                + (value - 6));
  }

  @Test
  void messagesNameElementsInScopes() {
    byte[] bytes = RawDocument.parse("{cws: {$code: 'g()', $scope: {v: true}}}").toByteArray();
    bytes[bytes.length - 3] = 2;
    assertThat(refusal(bytes)).hasMessageContaining("'cws.v'");
  }

  @Test
  void unknownTypesAreNamed() {
    assertThat(refusal(hex("08000000 14 6100 00"))).hasMessageContaining("BSON type 20");
    assertThat(refusal(hex("08000000 80 6100 00"))).hasMessageContaining("BSON type 128");
  }

  @Test
  void lengthsMustFit() {
    assertThat(refusal(hex("06000000 00"))).hasMessageContaining("Incorrect BSON length 6");
    assertThat(refusal(hex("05000000 01"))).hasMessageContaining("EOO");
    assertThat(refusal(hex("0D000000 02 6100 FFFFFF7F 00 00"))).hasMessageContaining("larger");
    assertThat(refusal(hex("0D000000 02 6100 00000000 00 00"))).hasMessageContaining("length 0");
    assertThat(refusal(hex("0D000000 03 6100 FFFFFF7F 00 00"))).hasMessageContaining("larger");
    assertThat(refusal(hex("0D000000 05 6100 FFFFFFFF 00 00"))).hasMessageContaining("larger");
    assertThat(refusal(hex("0D000000 05 6100 FEFFFF7F 00 00"))).hasMessageContaining("larger");
  }

  @Test
  void malformedUtf8IsRefusedInStringsNamesAndPatterns() {
    String[] malformed = {
      "80",
      "C0AF",
      "C1BF",
      "C3",
      "C328",
      "E08080",
      "E2",
      "E282",
      "EDA080",
      "EDBFBF",
      "F0808080",
      "F0",
      "F09F98",
      "F4908080",
      "F8888080",
      "FF"
    };
    for (String text : malformed) {
      for (int before = 0; before < 20; before++) {
        byte[] utf8 = hex("61".repeat(before) + text + "62".repeat(before % 3));
        assertThat(Utf8.isValid(utf8, 0, utf8.length)).as(text).isFalse();
        byte[] string = new BsonBuilder().append("s", string(utf8)).toDocument().bytes();
        assertThat(refusal(string)).hasMessageContaining("UTF-8");
        byte[] name = new BsonBuilder().append(utf8, RawValue.NULL).toDocument().bytes();
        assertThat(refusal(name)).hasMessageContaining("UTF-8");
        byte[] pattern = Arrays.copyOf(utf8, utf8.length + 2);
        var regex = new RawValue(ElementType.REGEX, pattern, 0, pattern.length);
        assertThat(refusal(new BsonBuilder().append("r", regex).toDocument().bytes()))
            .hasMessageContaining("UTF-8");
      }
    }
  }

  private static RawValue string(byte[] utf8) {
    byte[] bytes = new byte[utf8.length + 5];
    LittleEndian.putInt32(bytes, 0, utf8.length + 1);
    System.arraycopy(utf8, 0, bytes, 4, utf8.length);
    return new RawValue(ElementType.STRING, bytes, 0, bytes.length);
  }

  @Test
  void everyCodePointIsAccepted() {
    var text = new StringBuilder();
    for (int c = 1; c <= Character.MAX_CODE_POINT; c += 7) {
      if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        text.appendCodePoint(c);
      }
    }
    byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(Utf8.isValid(utf8, 0, utf8.length)).isTrue();
  }

  @Test
  void depthIsLimited() {
    for (boolean arrays : new boolean[] {false, true}) {
      byte[] five = nested(5, arrays);
      DocumentValidator.validate(five, 0, five.length, 5);
      assertThatThrownBy(() -> DocumentValidator.validate(five, 0, five.length, 4))
          .isInstanceOfSatisfying(
              CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERFLOW))
          .hasMessageContaining("exceeds maximum nested object depth");
    }
    byte[] deep = nested(100_000, false);
    assertThat(refusal(deep).code()).isEqualTo(ErrorCode.OVERFLOW);
  }

  private static byte[] nested(int levels, boolean arrays) {
    var builder = new BsonBuilder();
    for (int i = 1; i < levels; i++) {
      if (arrays) {
        builder.startArray(0);
      } else {
        builder.startDocument("a");
      }
    }
    for (int i = 1; i < levels; i++) {
      builder.end();
    }
    return builder.toDocument().bytes();
  }

  @Test
  void findsTheFirstTopLevelId() {
    assertThat(id("{}")).isEqualTo(-1);
    assertThat(id("{a: 1, b: {_id: 1}}")).isEqualTo(-1);
    assertThat(id("{_idx: 1}")).isEqualTo(-1);
    assertThat(id("{_id: 1, a: 2}")).isEqualTo(4);
    assertThat(id("{a: 1, _id: 1}")).isEqualTo(4 + 7);
    byte[] twice = new BsonBuilder().appendNull("_id").appendInt32("_id", 1).toDocument().bytes();
    assertThat(DocumentValidator.validateAndFindId(twice, 0, twice.length, 5)).isEqualTo(4);
  }

  private static int id(String json) {
    byte[] bytes = RawDocument.parse(json).bytes();
    byte[] shifted = new byte[bytes.length + 3];
    System.arraycopy(bytes, 0, shifted, 3, bytes.length);
    int at = DocumentValidator.validateAndFindId(shifted, 3, bytes.length, 5);
    return at < 0 ? at : at - 3;
  }
}
