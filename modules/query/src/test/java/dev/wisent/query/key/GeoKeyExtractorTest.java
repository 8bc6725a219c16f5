package dev.wisent.query.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.geo.GeoCells;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of 2dsphere and 2d indexes. */
class GeoKeyExtractorTest {
  private static final int IDENT_BYTES = 4;

  private KeyExtractor extractor;

  private List<String> keys(String spec, String json) {
    RawDocument index = RawDocument.parse(spec);
    KeyPattern pattern = KeyPattern.of(index.get("key").asDocument());
    GeoCells cells =
        pattern.fieldOf(KeyPattern.FieldKind.SPHERE) >= 0
            ? GeoCells.ofSphere(index)
            : GeoCells.ofPlane(index);
    extractor = KeyExtractor.of(pattern, cells, 1);
    var keys = new ArrayList<String>();
    extractor.extract(
        RawDocument.parse(json),
        key -> {
          byte[] bytes = key.toByteArray();
          byte[] bits = key.typeBits();
          RawValue[] values =
              IndexKeyV1.decode(
                  bytes,
                  IDENT_BYTES,
                  bytes.length - IDENT_BYTES,
                  bits,
                  0,
                  bits.length,
                  pattern.descending());
          keys.add(Stream.of(values).map(ValueText::of).collect(Collectors.joining(", ")));
        });
    return keys;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: [0, 0]}                                  | 1152921504606846977
          {a: {x: 0, y: 0}}                            | 1152921504606846977
          {a: {type: 'Point', coordinates: [0, 0]}}    | 1152921504606846977
          {a: [0, 0, 5]}                               | 1152921504606846977
          """)
  void aPointIsItsSmallestCell(String document, String key) {
    assertThat(keys("{key: {a: '2dsphere'}}", document)).containsExactly(key);
    assertThat(extractor.multikey()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{}", "{a: null}", "{a: []}", "{a: {}}", "{b: 1}"})
  void withoutAPlaceThereIsNoKey(String document) {
    assertThat(keys("{key: {a: '2dsphere', b: 1}}", document)).isEmpty();
    assertThat(keys("{key: {a: '2d', b: 1}}", document)).isEmpty();
  }

  @Test
  void otherFieldsAreCombinedWithEveryCell() {
    assertThat(keys("{key: {b: -1, a: '2dsphere', c: 1}}", "{a: [0, 0], b: [1, 2], c: []}"))
        .containsExactly("1, 1152921504606846977, undefined", "2, 1152921504606846977, undefined");
    assertThat(extractor.multikey()).isTrue();
    assertThat(extractor.arrayParts(0)).isEqualTo(1);
    assertThat(extractor.arrayParts(1)).isZero();
    assertThat(extractor.arrayParts(2)).isEqualTo(1);
    assertThat(keys("{key: {a: '2dsphere', c: 1}}", "{a: [0, 0]}"))
        .containsExactly("1152921504606846977, null");
    assertThat(keys("{key: {'x.a': '2dsphere'}}", "{x: [{a: [0, 0]}, {a: [90, 0]}, {}]}"))
        .hasSize(2);
    assertThat(extractor.arrayParts(0)).isEqualTo(1);
  }

  @Test
  void shapesHaveSeveralCellsOfLimitedSizes() {
    String line = "{a: {type: 'LineString', coordinates: [[0, 0], [20, 20]]}}";
    assertThat(keys("{key: {a: '2dsphere'}}", line)).hasSizeGreaterThan(1);
    assertThat(extractor.arrayParts(0)).isEqualTo(1);
    assertThat(keys("{key: {a: '2dsphere'}, coarsestIndexedLevel: 0, finestIndexedLevel: 0}", line))
        .containsExactly("1152921504606846976");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: [0, 0]}             | 1 | false
          {a: {x: 0, y: 0}}       | 1 | false
          {a: [[0, 0], [50, 50]]} | 2 | true
          {a: [[0, 0], [0, 0]]}   | 1 | true
          {a: {p: [0, 0], q: []}} | 1 | false
          """)
  void pointsOfThePlane(String document, int count, boolean multikey) {
    List<String> keys = keys("{key: {a: '2d', b: 1}}", document);
    assertThat(keys).hasSize(count);
    assertThat(keys.getFirst()).isEqualTo("BinData(128, C000000000000000), null");
    assertThat(extractor.multikey()).isEqualTo(multikey);
  }

  @Test
  void otherFieldsOfThePlaneStandTogether() {
    assertThat(keys("{key: {a: '2d', b: 1}}", "{a: [-180, -180], b: [3, 1, 3]}"))
        .containsExactly("BinData(128, 0000000000000000), [ 1, 3 ]");
    assertThat(keys("{key: {a: '2d'}, bits: 2}", "{a: [180, 180]}"))
        .containsExactly("BinData(128, F000000000000000)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          2dsphere | {a: 5}            | 16755 | Can't extract geo keys: { a: 5 }  geo element must be an array or object: a: 5
          2dsphere | {a: [200, 0]}     | 16755 | Can't extract geo keys: { a: [ 200, 0 ] }  can't project geometry into spherical CRS: [ 200, 0 ]
          2dsphere | {a: [[0, 0]]}     | 16755 | Can't extract geo keys: { a: [ [ 0, 0 ] ] }  Point must only contain numeric elements, instead got type array
          2dsphere | {a: {b: 1}}       | 16755 | Can't extract geo keys: { a: { b: 1 } }  Point must only contain numeric elements, instead got type missing
          2dsphere | {a: {b: 'x'}}     | 16755 | Can't extract geo keys: { a: { b: "x" } }  unknown GeoJSON type: { b: "x" }
          2dsphere | {a: {type: 'Polygon', crs: {type: 'name', properties: {name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326'}}, coordinates: [[[0, 0], [9, 0], [9, 9], [0, 0]]]}} | 16755 | Can't extract geo keys: { a: { type: "Polygon", crs: { type: "name", properties: { name: "urn:x-mongodb:crs:strictwinding:EPSG:4326" } }, coordinates: [ [ [ 0, 0 ], [ 9, 0 ], [ 9, 9 ], [ 0, 0 ] ] ] } }  can't index geometry with strict winding order
          2d       | {a: [1]}          | 13068 | geo field only has 1 element :: caused by :: { a: [ 1 ] }
          2d       | {a: [1, 'x']}     | 13026 | geo values must be 'legacy coordinate pairs' for 2d indexes :: caused by :: { a: [ 1, "x" ] }
          2d       | {a: [200, 0]}     | 13027 | point not in interval of [ -180, 180 ] :: caused by :: { a: [ 200, 0 ] }
          2d       | {a: {type: 'Point', coordinates: [0, 0]}} | 16804 | location object expected, location array not in correct format
          """)
  void malformedPlaces(String kind, String document, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> keys("{key: {a: '" + kind + "'}}", document));
    assertThat(error).as(document).isNotNull();
    assertThat(error.getMessage()).isEqualTo(message);
    assertThat(error.code().code()).isEqualTo(code);
  }
}
