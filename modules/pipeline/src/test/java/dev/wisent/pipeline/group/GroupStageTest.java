package dev.wisent.pipeline.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.ModifiedPaths;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.ExpressionCases;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupStageTest {
  private static final List<RawDocument> DOCUMENTS =
      StageFixture.documents(
          """
          [{_id: 1, a: 1, b: 'x', d: {e: 7}},
           {_id: 2, a: {$numberLong: '1'}, b: 'y', d: {e: 8}},
           {_id: 3, a: 1.0, b: 'X', d: [{e: 1}, {e: 2}]},
           {_id: 4, a: null, b: 'x'},
           {_id: 5, b: null},
           {_id: 6, a: [1, 2], b: 'x', d: {e: 7}},
           {_id: 7, a: [1.0, 2], d: 3}]
          """);

  /** In memory in the order of arrival, and through files in the order of the keys. */
  private static void check(String pipeline, String expected) {
    assertThat(StageFixture.run(pipeline, DOCUMENTS))
        .as(pipeline)
        .isEqualTo(StageFixture.documents(expected));
    assertThat(StageFixture.runInFiles(pipeline, DOCUMENTS))
        .as(pipeline + " in files")
        .containsExactlyInAnyOrderElementsOf(StageFixture.documents(expected));
  }

  @Test
  void numbersThatAreEqualAreOneGroupWhichKeepsTheFirstOne() {
    check(
        "[{$group: {_id: '$a', n: {$sum: 1}}}]",
        "[{_id: 1, n: 3}, {_id: null, n: 2}, {_id: [1, 2], n: 2}]");
  }

  @Test
  void pathsGoThroughDocumentsAndArrays() {
    check(
        "[{$group: {_id: '$d.e', n: {$sum: '$d.e'}, l: {$last: '$_id'}}}]",
        "[{_id: 7, n: 14, l: 6}, {_id: 8, n: 8, l: 2}, {_id: [1, 2], n: 0, l: 3},"
            + " {_id: null, n: 0, l: 7}]");
  }

  @Test
  void aKeyOfSeveralFieldsLeavesOutThoseThatAreMissing() {
    check(
        "[{$match: {_id: {$gt: 3}}}, {$group: {_id: {x: '$b', y: '$d.e'}, n: {$sum: 1}}}]",
        "[{_id: {x: 'x'}, n: 1}, {_id: {x: null}, n: 1}, {_id: {x: 'x', y: 7}, n: 1},"
            + " {_id: {}, n: 1}]");
  }

  @Test
  void aKeyOfOneFieldIsNullWhereItIsMissing() {
    check(
        "[{$match: {_id: {$gt: 3}}}, {$group: {_id: {x: '$b'}, n: {$sum: 1}}}]",
        "[{_id: {x: 'x'}, n: 2}, {_id: {x: null}, n: 2}]");
  }

  @Test
  void keysAreExpressions() {
    check(
        "[{$group: {_id: {$toUpper: '$b'}, ids: {$sum: '$_id'}}}]",
        "[{_id: 'X', ids: 14}, {_id: 'Y', ids: 2}, {_id: '', ids: 12}]");
    check("[{$group: {_id: null}}]", "[{_id: null}]");
    check("[{$group: {_id: {}}}]", "[{_id: {}}]");
    check("[{$group: {_id: 'b', n: {$count: {}}}}]", "[{_id: 'b', n: 7}]");
    check("[{$group: {_id: ['$d.e'], n: {$sum: 1}}}, {$match: {_id: [7]}}]", "[{_id: [7], n: 2}]");
  }

  @Test
  void noDocumentsMakeNoGroup() {
    check("[{$match: {_id: 99}}, {$group: {_id: null, n: {$sum: 1}}}]", "[]");
  }

  @Test
  void stringsThatACollationHoldsEqualAreOneGroup() {
    var context =
        ExpressionCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en', strength: 2}")));
    var pipeline = StageFixture.parse("[{$group: {_id: '$b', n: {$sum: 1}}}]", context);
    assertThat(StageFixture.run(pipeline, DOCUMENTS, SortSpace.inMemory()))
        .isEqualTo(
            StageFixture.documents("[{_id: 'x', n: 4}, {_id: 'y', n: 1}, {_id: null, n: 2}]"));
  }

  @Test
  void refuses() {
    StageFixture.checkErrors(
        DOCUMENTS,
        """
        [{$group: 1}] !! 15947 a group's fields must be specified in an object
        [{$group: {n: {$sum: 1}}}] !! 15955 a group specification must include an _id
        [{$group: {_id: {a: 1}}}] !! 17390 $group does not support inclusion-style expressions
        [{$group: {_id: {a: '$a', b: true}}}] !! 17390 $group does not support inclusion-style expressions
        [{$group: {_id: 1, n: 1}}] !! 40234 The field 'n' must be an accumulator object
        [{$group: {_id: 1, n: {}}}] !! 40234 The field 'n' must be an accumulator object
        [{$group: {_id: 1, n: {a: 1}}}] !! 40234 The field 'n' must be an accumulator object
        [{$group: {_id: 1, 'a.b': {$sum: 1}}}] !! 40235 The field name 'a.b' cannot contain '.'
        [{$group: {_id: 1, $a: {$sum: 1}}}] !! 40236 The field name '$a' cannot be an operator name
        [{$group: {_id: 1, n: {$sum: 1, $avg: 1}}}] !! 40238 The field 'n' must specify one accumulator
        [{$group: {_id: 1, n: {$sum: ['$a', '$b']}}}] !! 40237 The $sum accumulator is a unary operator
        [{$group: {_id: 1, n: {$nonsense: 1}}}] !! 15952 unknown group operator '$nonsense'
        [{$group: {_id: 1, n: {$concatArrays: '$a'}}}] !! 15952 unknown group operator '$concatArrays'
        [{$group: {_id: 1, n: {$setUnion: '$a'}}}] !! 15952 unknown group operator '$setUnion'
        [{$group: {_id: 1, n: {$count: 1}}}] !! 14 $count takes no arguments, i.e. $count:{}
        [{$group: {_id: {$nonsense: 1}}}] !! 168 Unrecognized expression '$nonsense'
        """);
  }

  @Test
  void aKeyIsGivenOnce() {
    var twice = new BsonBuilder().appendInt32("_id", 1).appendInt32("_id", 2).toDocument();
    var stage = new BsonBuilder().appendDocument("$group", twice).toDocument();
    var pipeline = new BsonBuilder().appendDocument("0", stage).toDocument();
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> Pipeline.parse(pipeline, ExpressionCases.CONTEXT));
    assertThat(error.code()).isEqualTo(ErrorCode.GROUP_STAGE_IDS);
  }

  @Test
  void withoutFilesTheMemoryIsBounded() {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < 5_000; i++) {
      documents.add(new BsonBuilder().appendInt32("_id", i).toDocument());
    }
    var pipeline = StageFixture.parse("[{$group: {_id: '$_id'}}]", ExpressionCases.CONTEXT);
    var space = new SortSpace(50_000, null, WorkMeter.unchecked());
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> StageFixture.run(pipeline, documents, space));
    assertThat(error.code()).isEqualTo(ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED);
    assertThat(error.getMessage())
        .isEqualTo(
            "Exceeded memory limit for $group, but didn't allow external sort. Pass"
                + " allowDiskUse:true to opt in.");
  }

  @Test
  void saysWhatItReadsAndWhatItRenames() {
    Stage stage = stage("{_id: {x: '$a', y: {$add: ['$b', 1]}}, n: {$sum: '$c.d'}}");
    var dependencies = new Dependencies();
    assertThat(stage.addDependencies(dependencies)).isEqualTo(Stage.Sight.OF_RESULT);
    assertThat(dependencies.paths()).containsExactly("a", "b", "c.d");
    assertThat(stage.modifiedPaths())
        .isEqualTo(ModifiedPaths.allBut(Set.of()).renaming(Map.of("_id.x", "a")));
    assertThat(stage("{_id: '$a'}").modifiedPaths().renames()).isEqualTo(Map.of("_id", "a"));
  }

  @Test
  void explainShowsIt() {
    assertThat(stage("{_id: {x: '$a'}, n: {$sum: 2}, c: {$count: {}}}").explained())
        .containsExactly(
            RawDocument.parse(
                "{$group: {_id: {x: '$a'}, n: {$sum: {$const: 2}}, c: {$sum: {$const: 1}}}}"));
  }

  private static Stage stage(String argument) {
    return StageFixture.parse("[{$group: " + argument + "}]", ExpressionCases.CONTEXT)
        .stages()
        .getFirst();
  }
}
