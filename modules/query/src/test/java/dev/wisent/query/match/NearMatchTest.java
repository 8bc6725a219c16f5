package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms of $near. */
class NearMatchTest {
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
