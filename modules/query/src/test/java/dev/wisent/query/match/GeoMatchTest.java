package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** $geoWithin, $within, $geoIntersects and the forms of $near. */
class GeoMatchTest {
  private static final String SQUARE =
      "{type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]}";
  private static final String HOLE =
      "{type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]],"
          + " [[4, 4], [6, 4], [6, 6], [4, 6], [4, 4]]]}";
  private static final String STRICT =
      "{type: 'name', properties: {name: 'urn:x-mongodb:crs:strictwinding:EPSG:4326'}}";

  private static String filled(String text) {
    return text.replace("SQUARE", SQUARE).replace("HOLE", HOLE).replace("STRICT", STRICT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: [5, 5]}                | true
          {a: {$geoWithin: {$box: [[10, 10], [0, 0]]}}}        | {a: [10, 0]}               | true
          {a: {$within: {$box: [[0, 0], [10, 10]]}}}           | {a: {x: 5, y: 5}}          | true
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: [11, 5]}               | false
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: {type: 'Point', coordinates: [5, 5]}} | true
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: {type: 'LineString', coordinates: [[1, 1], [2, 2]]}} | false
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: [[50, 50], [5, 5]]}    | true
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: [5, 5, 99]}            | true
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: [5]}                   | false
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: ['x', 'y']}            | false
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: null}                  | false
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {}                         | false
          {a: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}        | {a: 5}                     | false
          {'a.b': {$geoWithin: {$box: [[0, 0], [10, 10]]}}}    | {a: [{b: [50, 50]}, {b: [5, 5]}]} | true
          {a: {$not: {$geoWithin: {$box: [[0, 0], [10, 10]]}}}} | {}                        | true
          {a: {$geoWithin: {$center: [[0, 0], 5]}}}            | {a: [3, 4]}                | true
          {a: {$geoWithin: {$center: [[0, 0], 5]}}}            | {a: [3, 4.01]}             | false
          {a: {$geoWithin: {$polygon: [[0, 0], [10, 0], [5, 10]]}}} | {a: [5, 5]}           | true
          {a: {$geoWithin: {$polygon: [[0, 0], [10, 0], [5, 10]]}}} | {a: [9, 9]}           | false
          {a: {$geoWithin: {$polygon: {p: [0, 0], q: [10, 0], r: {x: 5, y: 10}}}}} | {a: [5, 5]} | true
          {a: {$geoWithin: {$centerSphere: [[0, 0], 0.1]}}}    | {a: [5, 0]}                | true
          {a: {$geoWithin: {$centerSphere: [[0, 0], 0.1]}}}    | {a: [6, 0]}                | false
          {a: {$geoWithin: {$centerSphere: [[179, 0], 0.1]}}}  | {a: [-179, 0]}             | true
          {a: {$geoWithin: {$centerSphere: [[0, 0], 0.1]}}}    | {a: {type: 'LineString', coordinates: [[1, 1], [2, 2]]}} | true
          {a: {$geoWithin: {$centerSphere: [[0, 0], 0.1]}}}    | {a: {type: 'LineString', coordinates: [[1, 1], [20, 2]]}} | false
          {a: {$geoWithin: {$centerSphere: [[0, 0], 0.5]}}}    | {a: SQUARE}                | true
          {a: {$geoWithin: {$centerSphere: [[0, 0], 0.1]}}}    | {a: SQUARE}                | false
          {a: {$geoWithin: {$centerSphere: [[0, 0], 9]}}}      | {a: [180, 0]}              | true
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: [5, 5]}                | true
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: [0, 0]}                | true
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: [11, 5]}               | false
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: [500, 5]}              | false
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: {type: 'LineString', coordinates: [[1, 1], [2, 2]]}} | true
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: {type: 'LineString', coordinates: [[1, 1], [22, 2]]}} | false
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: {type: 'MultiPoint', coordinates: [[1, 1], [2, 2]]}} | true
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: {type: 'MultiPoint', coordinates: [[1, 1], [22, 2]]}} | false
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: HOLE}                  | true
          {a: {$geoWithin: {$geometry: HOLE}}}                 | {a: SQUARE}                | false
          {a: {$geoWithin: {$geometry: HOLE}}}                 | {a: [5, 5]}                | false
          {a: {$geoWithin: {$geometry: HOLE}}}                 | {a: [2, 2]}                | true
          {a: {$geoWithin: {$geometry: {type: 'MultiPolygon', coordinates: [[[[0, 0], [1, 0], [1, 1], [0, 0]]], [[[5, 5], [9, 5], [9, 9], [5, 5]]]]}}}} | {a: [8, 6]} | true
          {a: {$geoWithin: {$geometry: {type: 'GeometryCollection', geometries: [SQUARE]}}}} | {a: [8, 6]} | true
          {a: {$geoIntersects: {$geometry: SQUARE}}}           | {a: {type: 'LineString', coordinates: [[1, 1], [22, 2]]}} | true
          {a: {$geoIntersects: {$geometry: SQUARE}}}           | {a: {type: 'LineString', coordinates: [[21, 1], [22, 2]]}} | false
          {a: {$geoIntersects: {$geometry: SQUARE}}}           | {a: {type: 'MultiLineString', coordinates: [[[21, 1], [22, 2]], [[1, 1], [2, 2]]]}} | true
          {a: {$geoIntersects: {$geometry: SQUARE}}}           | {a: {type: 'Polygon', coordinates: [[[5, 5], [20, 5], [20, 20], [5, 5]]]}} | true
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [5, 5]}}}} | {a: SQUARE} | true
          {a: {$geoIntersects: {$geometry: [5, 5]}}}           | {a: SQUARE}                | true
          {a: {$geoIntersects: {$geometry: [5, 5]}}}           | {a: [5, 5]}                | true
          {a: {$geoIntersects: {$geometry: {type: 'LineString', coordinates: [[0, 0], [10, 0]]}}}} | {a: [5, 0]} | true
          {a: {$geoIntersects: {$geometry: {type: 'LineString', coordinates: [[0, -5], [0, 5]]}}}} | {a: {type: 'LineString', coordinates: [[-5, 0], [5, 0]]}} | true
          {a: {$geoIntersects: {$geometry: {type: 'GeometryCollection', geometries: [{type: 'Point', coordinates: [50, 50]}, SQUARE]}}}} | {a: [1, 1]} | true
          {a: {$geoWithin: {$geometry: {type: 'Polygon', crs: STRICT, coordinates: [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]}}}} | {a: [5, 5]} | true
          {a: {$geoWithin: {$geometry: {type: 'Polygon', crs: STRICT, coordinates: [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]]}}}} | {a: [5, 5]} | false
          {a: {$geoWithin: {$geometry: {type: 'Polygon', crs: STRICT, coordinates: [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]]}}}} | {a: [50, 50]} | true
          {a: {$geoWithin: {$geometry: {type: 'Polygon', crs: STRICT, coordinates: [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]]}}}} | {a: {type: 'LineString', coordinates: [[5, 5], [50, 50]]}} | false
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', crs: STRICT, coordinates: [[[0, 0], [0, 10], [10, 10], [10, 0], [0, 0]]]}}}} | {a: {type: 'LineString', coordinates: [[5, 5], [50, 50]]}} | true
          {a: {$geoWithin: {$geometry: SQUARE}}}               | {a: {type: 'Point', coordinates: [5, 5], crs: {type: 'name', properties: {name: 'EPSG:4326'}}}} | true
          """)
  void matching(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filled(filter), filled(document), expected);
  }

  private static void assertRefused(String filter, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> MatchParser.parse(RawDocument.parse(filled(filter)), MatchCases.CONTEXT));
    assertThat(error).as(filter).isNotNull();
    assertThat(error.getMessage()).startsWith(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: {$geoWithin: 1}}                               | 2 | geometry must be an object
          {a: {$geoWithin: [1, 2]}}                          | 2 | geometry must be an object
          {a: {$geoWithin: {}}}                              | 2 | geo query doesn't have any geometry
          {a: {$geoWithin: {$foo: [1]}}}                     | 2 | unknown geo specifier: $foo: [ 1 ]
          {a: {$geoWithin: {$box: 1}}}                       | 2 | unknown geo specifier: $box: 1
          {a: {$geoWithin: {$box: []}}}                      | 2 | Point must be an array or object, instead got type missing
          {a: {$geoWithin: {$box: [[0, 0]]}}}                | 2 | Point must be an array or object, instead got type missing
          {a: {$geoWithin: {$box: [[0, 0], [1]]}}}           | 2 | Point must only contain numeric elements, instead got type missing
          {a: {$geoWithin: {$box: [[0, 0], [1, 'x']]}}}      | 2 | Point must only contain numeric elements, instead got type string
          {a: {$geoWithin: {$box: [[0, 0], [1, 2, 3]]}}}     | 2 | Point must only contain two numeric elements
          {a: {$geoWithin: {$box: [[0, 0], [1, NaN]]}}}      | 2 | Point coordinates must be finite numbers
          {a: {$geoWithin: {$polygon: [[0, 0], [1, 1]]}}}    | 2 | Polygon must have at least 3 points, instead got 2 vertices
          {a: {$geoWithin: {$center: [[0, 0], -1]}}}         | 2 | Radius must be a non-negative number: -1
          {a: {$geoWithin: {$center: [[0, 0], 'x']}}}        | 2 | Radius must be a non-negative number: "x"
          {a: {$geoWithin: {$center: [[0, 0], 1, 2]}}}       | 2 | Only 2 fields allowed for circular region, but more were provided
          {a: {$geoWithin: {$centerSphere: [[200, 0], 1]}}}  | 2 | Longitude/latitude is out of bounds, lng: 200 lat: 0
          {a: {$geoWithin: {$centerSphere: [[0, 90.5], 1]}}} | 2 | Longitude/latitude is out of bounds, lng: 0 lat: 90.5
          {a: {$geoWithin: {$geometry: {type: 'Point', coordinates: [0, 0]}}}} | 2 | $within not supported with provided geometry: { $geoWithin: { $geometry: { type: "Point", coordinates: [ 0, 0 ] } } }
          {a: {$geoWithin: {$geometry: [0, 0]}}}             | 2 | $within not supported with provided geometry:
          {a: {$geoWithin: {$geometry: {}}}}                 | 2 | unknown GeoJSON type: {}
          {a: {$geoWithin: {$geometry: {type: 'Circle'}}}}   | 2 | unknown GeoJSON type: { type: "Circle" }
          {a: {$geoWithin: {$box: [[0, 0], [1, 1]], $center: [[0, 0], 1]}}} | 2 | $geoWithin doesn't accept multiple shapes
          {a: {$geoWithin: {$box: [[0, 0], [1, 1]]}, $exists: true}} | 2 | can't parse extra field: $exists: true
          {a: {$exists: true, $geoWithin: {$box: [[0, 0], [1, 1]]}}} | 2 | can't parse extra field: $geoWithin:
          {a: {$geoIntersects: {$box: [[0, 0], [1, 1]]}}}    | 2 | $geoIntersect not supported with provided geometry: { $geoIntersects:
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: 'x'}}}} | 2 | Polygon coordinates must be an array, instead got type string
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: []}}}} | 2 | Polygon has no loops.
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[]]}}}} | 2 | Loop has no vertices: []
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [1, 2], [2, 3]]]}}}} | 2 | Loop is not closed, first vertex does not equal last vertex: [ [ 0, 0 ], [ 1, 2 ], [ 2, 3 ] ]
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [1, 2], [0, 0]]]}}}} | 2 | Loop must have at least 3 different vertices, 2 unique vertices were provided: [ [ 0, 0 ], [ 1, 2 ], [ 0, 0 ] ]
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]]}}}} | 2 | Loop is not valid: [ [ 0, 0 ], [ 10, 10 ], [ 10, 0 ], [ 0, 10 ], [ 0, 0 ] ] Edges 0 and 2 cross. Edge locations in degrees: [0.0000000, 0.0000000]-[10.0000000, 10.0000000] and [0.0000000, 10.0000000]-[10.0000000, 0.0000000]
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [10, 0], [5, 5], [10, 10], [0, 10], [5, 5], [0, 0]]]}}}} | 2 | Loop is not valid: [ [ 0, 0 ], [ 10, 0 ], [ 5, 5 ], [ 10, 10 ], [ 0, 10 ], [ 5, 5 ], [ 0, 0 ] ] Duplicate vertices: 2 and 5
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [10, 0], [10, 10], [0, 0]], [[50, 50], [60, 50], [60, 60], [50, 50]]]}}}} | 2 | Secondary loops not contained by first exterior loop - secondary loops must be holes: [ [ 50, 50 ], [ 60, 50 ], [ 60, 60 ], [ 50, 50 ] ] first loop: [ [ 0, 0 ], [ 10, 0 ], [ 10, 10 ], [ 0, 0 ] ]
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [20, 0], [20, 20], [0, 20], [0, 0]], [[1, 1], [18, 1], [18, 18], [1, 18], [1, 1]], [[2, 2], [15, 2], [15, 15], [2, 15], [2, 2]]]}}}} | 2 | Polygon interior loops cannot be nested:
          {a: {$geoIntersects: {$geometry: {type: 'LineString', coordinates: [[0, 0]]}}}} | 2 | GeoJSON LineString must have at least 2 vertices, instead got 1 vertices: [ [ 0, 0 ] ]
          {a: {$geoIntersects: {$geometry: {type: 'LineString', coordinates: [[0, 0], [0, 0]]}}}} | 2 | GeoJSON LineString must have at least 2 vertices, instead got 1 vertices:
          {a: {$geoIntersects: {$geometry: {type: 'LineString', coordinates: [5, 5]}}}} | 2 | GeoJSON coordinates must be an array, instead got type int
          {a: {$geoIntersects: {$geometry: {type: 'LineString', coordinates: 5}}}} | 2 | GeoJSON coordinates must be an array of coordinates, instead got type int
          {a: {$geoIntersects: {$geometry: {type: 'MultiPoint', coordinates: []}}}} | 2 | MultiPoint coordinates must have at least 1 element
          {a: {$geoIntersects: {$geometry: {type: 'MultiLineString', coordinates: 1}}}} | 2 | MultiLineString coordinates must be an array, instead got type int
          {a: {$geoIntersects: {$geometry: {type: 'MultiPolygon', coordinates: ''}}}} | 2 | MultiPolygon coordinates must be an array, instead got type string
          {a: {$geoIntersects: {$geometry: {type: 'GeometryCollection', geometries: []}}}} | 2 | GeometryCollection geometries must have at least 1 element
          {a: {$geoIntersects: {$geometry: {type: 'GeometryCollection', geometries: [5]}}}} | 2 | Element 0 of "geometries" must be an object, instead got type int: 5
          {a: {$geoIntersects: {$geometry: {type: 'GeometryCollection', geometries: [{type: 'GeometryCollection'}]}}}} | 2 | GeometryCollections cannot be nested: { type: "GeometryCollection" }
          {a: {$geoIntersects: {$geometry: {type: 'GeometryCollection', geometries: [{}]}}}} | 2 | Unknown GeoJSON type: {}
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [1, 1], crs: 1}}}} | 2 | GeoJSON CRS must be an object, instead got type int
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [1, 1], crs: {}}}}} | 2 | GeoJSON CRS must have field "type": "name"
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [1, 1], crs: {type: 'name'}}}}} | 2 | CRS must have field "properties" which is an object, instead got type missing
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [1, 1], crs: {type: 'name', properties: {}}}}}} | 2 | In CRS, "properties.name" must be a string, instead got type missing
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [1, 1], crs: {type: 'name', properties: {name: 'x'}}}}}} | 2 | Unknown CRS name: x
          {a: {$geoIntersects: {$geometry: {type: 'Point', coordinates: [1, 1], crs: STRICT}}}} | 2 | Strict winding order CRS is only supported by polygon
          {a: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]], []], crs: STRICT}}}} | 2 | Only one simple loop is allowed in a big polygon, instead provided 2 loops:
          {a: {$geoIntersects: {$geometry: {type: 'Point'}}}} | 2 | Point must be an array or object, instead got type missing
          """)
  void malformedAreas(String filter, int code, String message) {
    assertRefused(filter, code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: {$near: null}}                                 | 2     | near must be first in: { $near: null }
          {a: {$near: 5}}                                    | 2     | near must be first in: { $near: 5 }
          {a: {$exists: true, $near: [0, 0]}}                | 2     | near must be first in: { $exists: true, $near: [ 0, 0 ] }
          {a: {$near: []}}                                   | 2     | $geometry is required for geo near query
          {a: {$near: {}}}                                   | 2     | $geometry is required for geo near query
          {a: {$near: {$geometry: 5}}}                       | 2     | $geometry is required for geo near query
          {a: {$near: {$geometry: {}}}}                      | 2     | invalid point in geo near query $geometry argument: {}  Point must be an array or object, instead got type missing
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0]}}}} | 2 | invalid point in geo near query $geometry argument: { type: "Point", coordinates: [ 0 ] }  Point must only contain numeric elements, instead got type missing
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0, 91]}}}} | 2 | invalid point in geo near query $geometry argument: { type: "Point", coordinates: [ 0, 91 ] }  Longitude/latitude is out of bounds, lng: 0 lat: 91
          {a: {$near: {$geometry: {type: 'Polygon', coordinates: []}}}} | 2 | invalid point in geo near query $geometry argument: { type: "Polygon", coordinates: [] }  Expected geojson geometry with type Point, but got type Polygon
          {a: {$near: {$geometry: [0, 0]}}}                  | 2     | $near requires geojson point, given [ 0, 0 ]
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0, 0]}, $maxDistance: 'x'}}} | 2 | $maxDistance must be a number
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0, 0]}, $maxDistance: -1}}} | 2 | $maxDistance must be non-negative
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0, 0]}, $minDistance: Infinity}}} | 2 | $minDistance must be non-negative
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0, 0]}, foo: 1}}} | 2 | invalid argument in geo near query: foo
          {a: {$near: {$geometry: {type: 'Point', coordinates: [0, 0]}}, $maxDistance: 1}} | 2 | geo near accepts just one argument when querying for a GeoJSON point. Extra field found: $maxDistance: 1
          {a: {$near: [0, 0], $maxDistance: 'x'}}            | 16895 | $maxDistance must be a number
          {a: {$near: [0, 0], $maxDistance: -1}}             | 16896 | $maxDistance must be non-negative
          {a: {$near: [0, 0], $minDistance: 'x'}}            | 16893 | $minDistance must be a number
          {a: {$near: [0, 0], $minDistance: -1}}             | 16894 | $minDistance must be non-negative
          {a: {$near: [0, 0, -1]}}                           | 18522 | max distance must be non-negative
          {a: {$near: [0, 0], $exists: true}}                | 34413 | invalid argument in geo near query: $exists
          {a: {$nearSphere: [200, 0]}}                       | 2     | Legacy point is out of bounds for spherical query
          {$or: [{a: {$near: [0, 0]}}, {b: 1}]}              | 2     | geoNear must be top-level expr
          {$nor: [{a: {$near: [0, 0]}}]}                     | 2     | geoNear must be top-level expr
          {a: {$not: {$near: [0, 0]}}}                       | 2     | geoNear must be top-level expr
          {a: {$elemMatch: {b: {$near: [0, 0]}}}}            | 2     | geoNear must be top-level expr
          {a: {$near: [0, 0]}, b: {$near: [0, 0]}}           | 2     | Too many geoNear expressions
          """)
  void malformedNears(String filter, int code, String message) {
    assertRefused(filter, code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: {$near: [1, 2]}}                               | false | false | 0 | 1.7976931348623157E308
          {a: {$near: [1, 2, 3]}}                            | false | false | 0 | 3
          {a: {$near: {x: 1, y: 2}, $minDistance: 1}}        | false | false | 1 | 1.7976931348623157E308
          {a: {$nearSphere: [1, 2], $maxDistance: 3}}        | true  | true  | 0 | 3
          {a: {$near: {type: 'Point', coordinates: [1, 2]}, $maxDistance: 3}} | true | false | 0 | 3
          {a: {$geoNear: {$geometry: {type: 'Point', coordinates: [1, 2]}, $maxDistance: 3, $minDistance: 2}}} | true | false | 2 | 3
          {$and: [{b: 1}, {$and: [{a: {$near: [1, 2]}}]}]}   | false | false | 0 | 1.7976931348623157E308
          """)
  void nears(String filter, boolean onSphere, boolean inRadians, double min, double max) {
    var near = NearMatch.of(MatchParser.parse(RawDocument.parse(filter), MatchCases.CONTEXT));
    assertThat(near.query().onSphere()).isEqualTo(onSphere);
    assertThat(near.query().inRadians()).isEqualTo(inRadians);
    assertThat(near.query().minDistance()).isEqualTo(min);
    assertThat(near.query().maxDistance()).isEqualTo(max);
    assertThat(MatchDocument.of(near)).isNotNull();
  }
}
