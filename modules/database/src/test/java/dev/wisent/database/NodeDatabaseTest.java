package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.view.ViewDefinition;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.Pipeline;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines that read what a replica set has in common and what is not replicated. */
class NodeDatabaseTest {
  private static final Namespace SHARED = new Namespace("test", "c");
  private static final Namespace OWN = new Namespace("test", "system.profile");

  private TestDatabase shared;
  private TestDatabase unreplicated;
  private NodeDatabase node;

  @BeforeEach
  void open(@TempDir Path directory) {
    shared = TestDatabase.open(directory.resolve("shared"));
    unreplicated = TestDatabase.open(directory.resolve("unreplicated"));
    node = NodeDatabase.member(shared.database(), unreplicated.database(), on -> {});
    insert(SHARED, "{_id: 1, n: 10}", "{_id: 2, n: 20}");
    insert(OWN, "{_id: 1, m: 'a'}", "{_id: 3, m: 'b'}");
  }

  @AfterEach
  void close() {
    for (TestDatabase part : List.of(shared, unreplicated)) {
      part.assertNothingLeaks();
      part.close();
    }
  }

  private void insert(Namespace namespace, String... documents) {
    List<RawDocument> parsed = Arrays.stream(documents).map(RawDocument::parse).toList();
    var request = new InsertRequest(namespace, parsed, true, false);
    assertThat(node.insert(shared.operation(), request).failures()).isEmpty();
  }

  private String aggregate(Namespace namespace, String stages) {
    OperationContext operation = shared.operation();
    Pipeline pipeline =
        Pipeline.parse(TestDatabase.value(stages).asDocument(), QueryContexts.of(operation));
    var request = new AggregateRequest(namespace, pipeline, null);
    return TestDatabase.drain(node.aggregate(operation, request)).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          c              | {$match: {_id: 1}}, {$lookup: {from: 'system.profile', localField: '_id', foreignField: '_id', as: 'j'}} | [{"_id": 1, "n": 10, "j": [{"_id": 1, "m": "a"}]}]
          system.profile | {$match: {_id: 1}}, {$lookup: {from: 'c', localField: '_id', foreignField: '_id', as: 'j'}} | [{"_id": 1, "m": "a", "j": [{"_id": 1, "n": 10}]}]
          system.profile | {$project: {_id: 1}}, {$unionWith: {coll: 'c', pipeline: [{$project: {_id: 1}}]}} | [{"_id": 1}, {"_id": 3}, {"_id": 1}, {"_id": 2}]
          c              | {$match: {_id: 2}}, {$lookup: {from: 'system.profile', pipeline: [{$lookup: {from: 'c', pipeline: [], as: 'i'}}, {$project: {_id: 1, k: {$size: '$i'}}}], as: 'j'}} | [{"_id": 2, "n": 20, "j": [{"_id": 1, "k": 2}, {"_id": 3, "k": 2}]}]
          """)
  void stagesReadBoth(String collection, String stages, String expected) {
    assertThat(aggregate(new Namespace("test", collection), "[" + stages + "]"))
        .isEqualTo(expected);
  }

  @Test
  void outputGoesWhereItBelongs() {
    assertThat(aggregate(OWN, "[{$merge: {into: 'c'}}]")).isEqualTo("[]");
    assertThat(aggregate(SHARED, "[{$count: 'n'}]")).isEqualTo("[{\"n\": 3}]");
    assertThat(shared.collection().documents()).isEqualTo(3);
  }

  @Test
  void aViewReadsItsCollectionWhereThatIs() {
    var view = new Namespace("test", "v");
    node.viewChanges(view)
        .create(
            new ViewDefinition(
                view, OWN, TestDatabase.value("[{$match: {_id: 3}}]").asDocument(), null),
            shared.operation());
    OperationContext operation = shared.operation();
    assertThat(aggregate(view, "[]")).isEqualTo("[{\"_id\": 3, \"m\": \"b\"}]");
    assertThat(TestDatabase.drain(node.find(operation, FindRequest.of(view, RawDocument.EMPTY))))
        .hasSize(1);
    assertThat(node.count(operation, new CountRequest(view, RawDocument.EMPTY, 0, 0, null)))
        .isEqualTo(1);
    assertThat(node.distinct(operation, new DistinctRequest(view, "m", RawDocument.EMPTY, null)))
        .hasSize(1);
  }
}
