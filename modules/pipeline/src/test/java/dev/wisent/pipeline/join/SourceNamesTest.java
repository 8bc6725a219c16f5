package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceNamesTest {
  @Test
  void collectionsAreFoundInStagesAndTheirPipelines() {
    assertThat(
            names(
                """
                [{$match: {from: 'no'}},
                 {$lookup: {from: 'a', as: 'x', pipeline: [{$unionWith: 'b'}]}},
                 {$unionWith: {coll: 'c', pipeline: [{$graphLookup: {from: 'd'}}]}},
                 {$facet: {f: [{$lookup: {from: 'e'}}], g: [{$count: 'n'}]}},
                 {$lookup: {pipeline: [{$documents: []}], as: 'y'}}]\
                """))
        .containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void anotherDatabaseIsNoString() {
    assertThat(names("[{$lookup: {from: {db: 'd', coll: 'c'}}}]")).containsExactly("other");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[]", "[1]", "[{}]", "[{$lookup: 1}]", "[{$facet: []}]", "[{$unionWith: {}}]"})
  void whatIsWrongHasNoNames(String pipeline) {
    assertThat(names(pipeline)).isEmpty();
  }

  private static List<String> names(String pipeline) {
    var names = new ArrayList<String>();
    SourceNames.forEach(
        RawDocument.parse("{p: %s}".formatted(pipeline)).get("p").asDocument(),
        source -> names.add(source.isString() ? source.asString() : "other"));
    return names;
  }
}
