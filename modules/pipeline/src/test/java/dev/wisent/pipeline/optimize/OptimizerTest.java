package dev.wisent.pipeline.optimize;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines and what becomes of them, as explain shows it. */
class OptimizerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # Filters in a row.
          {$match: {a: 1}}, {$match: {b: 2}}    | {$match: {$and: [{a: {$eq: 1}}, {b: {$eq: 2}}]}}
          {$match: {}}, {$match: {b: 2}}        | {$match: {b: {$eq: 2}}}
          {$match: {}}, {$limit: 1}             | {$limit: 1}
          {$skip: 1}, {$match: {$alwaysFalse: 1}}, {$limit: 2} | {$match: {$alwaysFalse: 1}}, {$limit: 2}
          {$skip: 1}, {$match: {a: {$in: []}}}  | {$match: {$alwaysFalse: 1}}
          {$sort: {a: 1}}, {$match: {b: 2}}     | {$match: {b: {$eq: 2}}}, {$sort: {sortKey: {a: 1}}}
          # Shaping.
          {$project: {a: 1}}, {$match: {a: 1}}  | {$match: {a: {$eq: 1}}}, {$project: {_id: true, a: true}}
          {$project: {a: 1}}, {$match: {_id: 1}} | {$match: {_id: {$eq: 1}}}, {$project: {_id: true, a: true}}
          {$project: {a: 1}}, {$match: {b: 1}}  | {$project: {_id: true, a: true}}, {$match: {b: {$eq: 1}}}
          {$project: {'a.b': 1}}, {$match: {a: 1}} | {$project: {_id: true, 'a.b': true}}, {$match: {a: {$eq: 1}}}
          {$project: {'a.b': 1}}, {$match: {'a.b.c': 1}} | {$match: {'a.b.c': {$eq: 1}}}, {$project: {_id: true, 'a.b': true}}
          {$project: {'a.b': 1}}, {$match: {'a.0.b': 1}} | {$project: {_id: true, 'a.b': true}}, {$match: {'a.0.b': {$eq: 1}}}
          {$project: {a: 0}}, {$match: {b: 1}}  | {$match: {b: {$eq: 1}}}, {$project: {a: false, _id: true}}
          {$project: {a: 0}}, {$match: {a: 1}}  | {$project: {a: false, _id: true}}, {$match: {a: {$eq: 1}}}
          {$unset: 'a.b'}, {$match: {'a.c': 1}} | {$match: {'a.c': {$eq: 1}}}, {$project: {'a.b': false, _id: true}}
          {$unset: 'a.b'}, {$match: {a: 1}}     | {$project: {'a.b': false, _id: true}}, {$match: {a: {$eq: 1}}}
          {$unset: 'a.b'}, {$match: {'a.0': 1}} | {$project: {'a.b': false, _id: true}}, {$match: {'a.0': {$eq: 1}}}
          {$set: {a: 1}}, {$match: {b: 2}}      | {$match: {b: {$eq: 2}}}, {$set: {a: {$const: 1}}}
          {$set: {a: 1}}, {$match: {a: 2, b: 3}} | {$match: {b: {$eq: 3}}}, {$set: {a: {$const: 1}}}, {$match: {a: {$eq: 2}}}
          {$set: {a: 1}}, {$match: {$or: [{a: 2}, {b: 3}]}} | {$set: {a: {$const: 1}}}, {$match: {$or: [{a: {$eq: 2}}, {b: {$eq: 3}}]}}
          {$set: {'a.b': 1}}, {$match: {'a.c': 2}} | {$match: {'a.c': {$eq: 2}}}, {$set: {a: {b: {$const: 1}}}}
          {$set: {'a.b': 1}}, {$match: {'a.c': null}} | {$set: {a: {b: {$const: 1}}}}, {$match: {'a.c': {$eq: null}}}
          {$set: {a: 1}}, {$match: {$expr: {$eq: ['$b', '$c']}}} | {$match: {$expr: {$eq: ['$b', '$c']}}}, {$set: {a: {$const: 1}}}
          {$set: {a: 1}}, {$match: {$expr: {$eq: ['$a', '$c']}}} | {$set: {a: {$const: 1}}}, {$match: {$expr: {$eq: ['$a', '$c']}}}
          {$set: {a: 1}}, {$match: {$sampleRate: 0.5}} | {$set: {a: {$const: 1}}}, {$match: {$sampleRate: 0.5}}
          # Other names.
          {$set: {a: '$b'}}, {$match: {a: 1}}   | {$match: {b: {$eq: 1}}}, {$set: {a: '$b'}}
          {$set: {a: '$b'}}, {$match: {'a.c': 1}} | {$match: {'b.c': {$eq: 1}}}, {$set: {a: '$b'}}
          {$set: {a: '$b.c'}}, {$match: {a: 1}} | {$set: {a: '$b.c'}}, {$match: {a: {$eq: 1}}}
          {$set: {a: '$b', b: '$a'}}, {$match: {a: 1, b: 2}} | {$match: {$and: [{b: {$eq: 1}}, {a: {$eq: 2}}]}}, {$set: {a: '$b', b: '$a'}}
          {$project: {x: '$a'}}, {$match: {x: {$in: [1, 2]}}} | {$match: {a: {$in: [1, 2]}}}, {$project: {_id: true, x: '$a'}}
          {$set: {a: '$b'}}, {$match: {$expr: {$eq: ['$a', '$c']}}} | {$set: {a: '$b'}}, {$match: {$expr: {$eq: ['$a', '$c']}}}
          {$replaceWith: '$a'}, {$match: {b: 1}} | {$match: {$or: [{'a.b': {$eq: 1}}, {a: {$not: {$type: [3]}}}]}}, {$replaceRoot: {newRoot: '$a'}}
          # Arrays.
          {$unwind: '$a'}, {$match: {b: 1}}     | {$match: {b: {$eq: 1}}}, {$unwind: {path: '$a'}}
          {$unwind: '$a'}, {$match: {a: 1}}     | {$unwind: {path: '$a'}}, {$match: {a: {$eq: 1}}}
          {$unwind: {path: '$a', includeArrayIndex: 'i'}}, {$match: {i: 1, c: 2}} | {$match: {c: {$eq: 2}}}, {$unwind: {path: '$a', includeArrayIndex: 'i'}}, {$match: {i: {$eq: 1}}}
          {$unwind: '$a'}, {$sort: {b: 1}}      | {$sort: {sortKey: {b: 1}}}, {$unwind: {path: '$a'}}
          {$unwind: '$a'}, {$sort: {'a.b': 1}}  | {$unwind: {path: '$a'}}, {$sort: {sortKey: {'a.b': 1}}}
          {$unwind: '$a'}, {$sort: {b: 1}}, {$limit: 3} | {$sort: {sortKey: {b: 1}}}, {$unwind: {path: '$a'}}, {$limit: 3}
          # Groups and windows.
          {$group: {_id: '$a', n: {$max: '$b'}}}, {$match: {_id: 1, n: 2}} | {$match: {a: {$eq: 1}}}, {$group: {_id: '$a', n: {$max: '$b'}}}, {$match: {n: {$eq: 2}}}
          {$group: {_id: {p: '$a', q: '$b'}}}, {$match: {'_id.q': {$gt: 1}}} | {$match: {b: {$gt: 1}}}, {$group: {_id: {p: '$a', q: '$b'}}}
          {$group: {_id: '$a'}}, {$match: {_id: {$exists: true}}} | {$group: {_id: '$a'}}, {$match: {_id: {$exists: true}}}
          {$group: {_id: '$a'}}, {$match: {_id: {$type: 'int'}}} | {$group: {_id: '$a'}}, {$match: {_id: {$type: [16]}}}
          {$group: {_id: '$a.b'}}, {$match: {_id: 1}} | {$group: {_id: '$a.b'}}, {$match: {_id: {$eq: 1}}}
          {$sort: {a: 1}}, {$group: {_id: '$a', n: {$sum: 1}}} | {$group: {_id: '$a', n: {$sum: {$const: 1}}}}
          {$sort: {a: 1}}, {$group: {_id: '$a', n: {$push: '$b'}}} | {$sort: {sortKey: {a: 1}}}, {$group: {_id: '$a', n: {$push: '$b'}}}
          {$setWindowFields: {partitionBy: '$a', output: {n: {$sum: 1}}}}, {$match: {a: 1, n: 2}} | {$match: {a: {$eq: 1}}}, {$sort: {sortKey: {a: 1}}}, {$_internalSetWindowFields: {partitionBy: '$a', output: {n: {$sum: {$const: 1}, window: {documents: ['unbounded', 'unbounded']}}}}}, {$match: {n: {$eq: 2}}}
          # Lists of windows that no stage looks at.
          {$setWindowFields: {output: {l: {$push: '$b'}}}}, {$count: 'n'} | {$_internalSetWindowFields: {output: {}}}, {$group: {_id: {$const: null}, n: {$sum: {$const: 1}}}}, {$project: {n: true, _id: false}}
          {$setWindowFields: {output: {l: {$addToSet: '$b'}, s: {$sum: '$b'}}}}, {$project: {s: 1}} | {$_internalSetWindowFields: {output: {s: {$sum: '$b', window: {documents: ['unbounded', 'unbounded']}}}}}, {$project: {_id: true, s: true}}
          {$setWindowFields: {output: {l: {$push: '$b'}}}}, {$project: {n: {$size: '$l'}}} | {$_internalSetWindowFields: {output: {l: {$push: '$b', window: {documents: ['unbounded', 'unbounded']}}}}}, {$project: {_id: true, n: {$size: ['$l']}}}
          {$setWindowFields: {output: {'l.m': {$push: '$b'}}}}, {$project: {l: 1}} | {$_internalSetWindowFields: {output: {'l.m': {$push: '$b', window: {documents: ['unbounded', 'unbounded']}}}}}, {$project: {_id: true, l: true}}
          {$setWindowFields: {output: {l: {$push: {$divide: [1, '$b']}}}}}, {$project: {a: 1}} | {$_internalSetWindowFields: {output: {l: {$push: {$divide: [{$const: 1}, '$b']}, window: {documents: ['unbounded', 'unbounded']}}}}}, {$project: {_id: true, a: true}}
          # Joins.
          {$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'j'}}, {$match: {c: 1}} | {$match: {c: {$eq: 1}}}, {$lookup: {from: 'o', as: 'j', localField: 'a', foreignField: 'b'}}
          {$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'j'}}, {$limit: 2} | {$limit: 2}, {$lookup: {from: 'o', as: 'j', localField: 'a', foreignField: 'b'}}
          {$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'j'}}, {$unwind: '$j'} | {$lookup: {from: 'o', as: 'j', localField: 'a', foreignField: 'b', unwinding: {preserveNullAndEmptyArrays: false}}}
          {$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'j'}}, {$unwind: '$j'}, {$match: {'j.x': 1, c: 2}} | {$match: {c: {$eq: 2}}}, {$lookup: {from: 'o', as: 'j', localField: 'a', foreignField: 'b', let: {}, pipeline: [{$match: {x: {$eq: 1}}}], unwinding: {preserveNullAndEmptyArrays: false}}}
          {$sort: {a: 1}}, {$lookup: {from: 'o', localField: 'a', foreignField: 'b', as: 'j'}}, {$unwind: '$j'} | {$sort: {sortKey: {a: 1}}}, {$lookup: {from: 'o', as: 'j', localField: 'a', foreignField: 'b', unwinding: {preserveNullAndEmptyArrays: false}}}
          {$unionWith: 'o'}, {$match: {a: 1}} | {$match: {a: {$eq: 1}}}, {$unionWith: {coll: 'o', pipeline: [{$match: {a: {$eq: 1}}}]}}
          {$facet: {x: [{$limit: 3}, {$limit: 2}]}} | {$facet: {x: [{$internalFacetTeeConsumer: {}}, {$limit: 2}]}}
          # Cuts.
          {$limit: 5}, {$limit: 3}              | {$limit: 3}
          {$skip: 5}, {$skip: 3}                | {$skip: 8}
          {$skip: 0}                            | ``
          {$skip: 5}, {$limit: 3}               | {$limit: 8}, {$skip: 5}
          {$skip: 5}, {$limit: 9223372036854775807} | {$skip: 5}, {$limit: 9223372036854775807}
          {$limit: 9}, {$skip: 5}, {$limit: 3}  | {$limit: 8}, {$skip: 5}
          {$project: {a: 1}}, {$limit: 3}       | {$limit: 3}, {$project: {_id: true, a: true}}
          {$set: {a: 1}}, {$skip: 3}            | {$skip: 3}, {$set: {a: {$const: 1}}}
          {$replaceWith: '$a'}, {$skip: 3}, {$limit: 1} | {$limit: 4}, {$skip: 3}, {$replaceRoot: {newRoot: '$a'}}
          {$limit: 3}, {$match: {a: 1}}         | {$limit: 3}, {$match: {a: {$eq: 1}}}
          # Sorts.
          {$sort: {a: 1}}, {$limit: 3}          | {$sort: {sortKey: {a: 1}, limit: 3}}
          {$sort: {a: 1}}, {$limit: 3}, {$limit: 5} | {$sort: {sortKey: {a: 1}, limit: 3}}
          {$sort: {a: 1}}, {$skip: 2}, {$limit: 3} | {$sort: {sortKey: {a: 1}, limit: 5}}, {$skip: 2}
          {$sort: {a: 1}}, {$project: {a: 1}}, {$limit: 3} | {$sort: {sortKey: {a: 1}, limit: 3}}, {$project: {_id: true, a: true}}
          {$sort: {a: 1}}, {$sort: {b: 1}}      | {$sort: {sortKey: {b: 1}}}
          {$sort: {a: 1}}, {$limit: 2}, {$sort: {b: 1}} | {$sort: {sortKey: {a: 1}, limit: 2}}, {$sort: {sortKey: {b: 1}}}
          {$sort: {a: 1}}, {$limit: 2}, {$match: {b: 1}} | {$sort: {sortKey: {a: 1}, limit: 2}}, {$match: {b: {$eq: 1}}}
          {$sort: {a: 1}}, {$match: {b: 1}}, {$limit: 2} | {$match: {b: {$eq: 1}}}, {$sort: {sortKey: {a: 1}, limit: 2}}
          """)
  void becomes(String pipeline, String expected) {
    List<Stage> stages = Optimizer.optimize(StageFixture.parse("[" + pipeline + "]")).stages();
    assertThat(explained(stages)).isEqualTo(plain(StageFixture.documents("[" + expected + "]")));
  }

  private static String explained(List<Stage> stages) {
    return plain(stages.stream().flatMap(stage -> stage.explained().stream()).toList());
  }

  /** Without the difference of whole numbers. */
  private static String plain(List<RawDocument> documents) {
    return documents.stream()
        .map(document -> document.toJson().replaceAll("\\{\"\\$numberLong\": \"(\\d+)\"}", "$1"))
        .collect(Collectors.joining(", "));
  }
}
