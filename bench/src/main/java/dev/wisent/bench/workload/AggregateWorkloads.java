package dev.wisent.bench.workload;

import static dev.wisent.bench.workload.LoopWorkload.expect;

import dev.wisent.bench.data.DocumentGenerator;
import dev.wisent.bench.store.Analysis;
import dev.wisent.bench.store.Session;
import java.util.List;
import java.util.SplittableRandom;

/** Questions that look at all documents and are answered in a few rows. */
final class AggregateWorkloads {
  private static final int TOP = 20;

  private AggregateWorkloads() {}

  static List<Workload> all() {
    return List.of(
        workload(
            "aggregate-group-low",
            "sum, average, least and greatest of " + DocumentGenerator.SHELVES + " groups",
            DocumentGenerator.SHELVES,
            Analysis.of(
                "documents",
                """
                select (doc->>'shelf')::int, sum((doc->>'balance')::float8),
                  avg((doc->>'balance')::float8), min((doc->>'rank')::bigint),
                  max((doc->>'at')::bigint)
                from documents group by 1\
                """,
                """
                {$group: {_id: '$shelf', sum: {$sum: '$balance'}, avg: {$avg: '$balance'},
                  min: {$min: '$rank'}, max: {$max: '$at'}}}\
                """)),
        workload(
            "aggregate-group-high",
            "the same of 90,000 groups, of which the first " + TOP + " are read",
            TOP,
            Analysis.of(
                "documents",
                """
                select (doc->'address'->>'zip')::int, sum((doc->>'balance')::float8),
                  avg((doc->>'balance')::float8), min((doc->>'rank')::bigint),
                  max((doc->>'at')::bigint)
                from documents group by 1 order by 2 desc limit 20\
                """,
                """
                {$group: {_id: '$address.zip', sum: {$sum: '$balance'}, avg: {$avg: '$balance'},
                  min: {$min: '$rank'}, max: {$max: '$at'}}}\
                """,
                "{$sort: {sum: -1}}",
                "{$limit: 20}")),
        workload(
            "aggregate-sort-limit",
            "the first " + TOP + " documents by a field without index",
            TOP,
            Analysis.of(
                "documents",
                "select doc from documents order by (doc->>'balance')::float8 desc limit 20",
                "{$sort: {balance: -1}}",
                "{$limit: 20}")),
        workload(
            "aggregate-unwind",
            "how often each element of an array comes, the first " + TOP,
            TOP,
            Analysis.of(
                "documents",
                """
                select tag, count(*) from documents, jsonb_array_elements_text(doc->'tags') tag
                group by tag order by 2 desc, 1 limit 20\
                """,
                "{$unwind: '$tags'}",
                "{$group: {_id: '$tags', n: {$sum: 1}}}",
                "{$sort: {n: -1, _id: 1}}",
                "{$limit: 20}")),
        joined(
            "aggregate-lookup",
            "every document with its group, from another collection by an index",
            Analysis.of(
                "documents",
                """
                select count(*) from documents d join groups g
                  on (g.doc->>'number')::bigint = (d.doc->>'group')::bigint\
                """,
                """
                {$lookup: {from: 'groups', localField: 'group', foreignField: 'number',
                  as: 'found'}}\
                """,
                "{$group: {_id: null, n: {$sum: {$size: '$found'}}}}")),
        analysis(
            "aggregate-histogram",
            "count and average for each hour",
            List.of(Dataset.DOCUMENTS),
            Analysis.of(
                "documents",
                """
                select date_trunc('hour', to_timestamp((doc->>'at')::bigint / 1000.0), 'UTC'),
                  count(*), avg((doc->>'balance')::float8)
                from documents group by 1 order by 1 limit 20\
                """,
                """
                {$group: {_id: {$dateTrunc: {date: {$toDate: '$at'}, unit: 'hour'}},
                  n: {$sum: 1}, avg: {$avg: '$balance'}}}\
                """,
                "{$sort: {_id: 1}}",
                "{$limit: 20}"),
            AggregateWorkloads::hours,
            "it has no $dateTrunc"),
        analysis(
            "aggregate-window",
            "a running total for each of " + DocumentGenerator.SHELVES + " partitions",
            List.of(Dataset.DOCUMENTS),
            Analysis.of(
                "documents",
                """
                select shelf, max(total) from (
                  select (doc->>'shelf')::int shelf, sum((doc->>'balance')::float8) over (
                    partition by (doc->>'shelf')::int order by (doc->>'rank')::bigint
                    rows unbounded preceding) total
                  from documents) totals
                group by shelf\
                """,
                """
                {$setWindowFields: {partitionBy: '$shelf', sortBy: {rank: 1}, output: {
                  total: {$sum: '$balance', window: {documents: ['unbounded', 'current']}}}}}\
                """,
                "{$group: {_id: '$shelf', total: {$max: '$total'}}}"),
            records -> Math.min(records, DocumentGenerator.SHELVES),
            "it has no $setWindowFields"),
        workload(
            "aggregate-facet",
            "three questions at once: groups, an average, the first five",
            1,
            Analysis.of(
                "documents",
                """
                select
                  (select jsonb_agg(x) from (select (doc->>'shelf')::int, count(*)
                    from documents group by 1 order by 2 desc) x),
                  (select jsonb_agg(x) from (select avg((doc->>'balance')::float8),
                    max((doc->>'balance')::float8) from documents) x),
                  (select jsonb_agg(x) from (select doc from documents
                    order by (doc->>'rank')::bigint desc limit 5) x)\
                """,
                """
                {$facet: {
                  shelves: [{$sortByCount: '$shelf'}],
                  balance: [{$group: {_id: null, avg: {$avg: '$balance'},
                    max: {$max: '$balance'}}}],
                  first: [{$sort: {rank: -1}}, {$limit: 5}]}}\
                """)),
        workload(
            "aggregate-count",
            "count of the documents that meet two conditions",
            1,
            Analysis.of(
                "documents",
                """
                select count(*) from documents
                where (doc->>'balance')::float8 >= 5000 and (doc->>'shelf')::bigint = 7\
                """,
                "{$match: {balance: {$gte: 5000}, shelf: 7}}",
                "{$count: 'n'}")));
  }

  private static Workload workload(String name, String summary, long rows, Analysis analysis) {
    List<Dataset> datasets = List.of(Dataset.DOCUMENTS);
    return analysis(name, summary, datasets, analysis, records -> Math.min(records, rows), null);
  }

  private static Workload joined(String name, String summary, Analysis analysis) {
    List<Dataset> datasets = List.of(Dataset.DOCUMENTS, Dataset.GROUPS);
    return analysis(name, summary, datasets, analysis, records -> 1, null);
  }

  private static long hours(long records) {
    long first = Math.floorDiv(DocumentGenerator.atOfRank(0), 3_600_000);
    long last = Math.floorDiv(DocumentGenerator.atOfRank(records - 1), 3_600_000);
    return Math.min(TOP, last - first + 1);
  }

  /** How many rows the answer has, by the number of documents. */
  private interface Rows {
    long of(long records);
  }

  private static Workload analysis(
      String name,
      String summary,
      List<Dataset> datasets,
      Analysis analysis,
      Rows rows,
      String notByMemoryServer) {
    LoopWorkload.Step step =
        (Session session, String collection, long records, SplittableRandom random) ->
            expect(rows.of(records), session.analyse(analysis));
    return new ScanWorkload(name, summary, datasets, step, notByMemoryServer);
  }
}
